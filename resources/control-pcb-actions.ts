import type { Action } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { groupsOf } from './fleet/configuration-groups.ts'
import { captureHelp, captureSpans, configurationFields, dangerRefusals } from './shared/configuration.ts'
import { offerGroups, overrideField, updateTimeFields } from './shared/updates.ts'

/** Shown once beside a new key. */
const deviceKeyHelp = [
  'It is shown only this once: copy it. The board sends it in the header X-Device-Key of every call below /api/device/v1/.',
  'Ключ виден только сейчас, скопируйте его. Плата передаёт его в заголовке X-Device-Key каждого запроса к /api/device/v1/.',
] as const

/** Reads what the board is to apply: it changes nothing. */
const tryKey = "curl -sS {origin}/api/device/v1/state -H 'X-Device-Key: {secret}'"

/** Actions of a control board. */
export const controlPcbActions = {
  configure: {
    label: ['Edit configuration', 'Изменить конфигурацию'], icon: 'settings', call: ['PUT', 'control-pcb/{id}/configuration'],
    from: 'control-pcb/{id}/configuration',
    body: { baseVersion: '$from.desiredVersion' },
    roles: fleetStaff, permit: 'served',
    form: {
      desired:     { type: 'group', label: ['Configuration', 'Конфигурация'], required: true, fields: configurationFields,
        sections: groupsOf(configurationFields) },
      reason:      { type: 'text',  label: ['Reason', 'Причина'], maxLength: 250 },
      confirmCode: { type: 'text',  label: ['Code of the board', 'Код платы'], maxLength: 64 },
    },
    guard: { group: 'desired', fields: 'danger.fields', refusal: 'danger.refusal', confirm: 'confirmCode', equals: 'code',
      ask: ['You are changing a protective limit. A wrong value can injure people and damage cells. Type {value} to confirm.',
        'Меняется защитный предел: ошибка опасна для людей и ячеек. Введите {value}, чтобы подтвердить.'],
      refusals: dangerRefusals },
    success: ['The configuration is saved; the board applies it when it next reports',
      'Конфигурация сохранена, плата применит её при следующей связи'],
  },
  'request-update': {
    label: ['Request update', 'Запросить обновление'], icon: 'firmware', call: ['POST', 'firmware-update'],
    body: { controlPcbId: '$record.id' },
    roles: fleetStaff, permit: 'served', refresh: ['firmware-update'],
    when: { all: [{ field: 'lifecycle', op: 'eq', value: 'ACTIVE' }, { field: 'openUpdateId', op: 'null', value: true }] },
    form: {
      firmwareId: { type: 'reference', label: ['Firmware', 'Прошивка'], required: true, to: 'firmware',
        options: 'firmware/for-request-update?controlPcbId={id}', groups: offerGroups },
      ...updateTimeFields,
      overrideReason: overrideField,
    },
    checks: { from: 'firmware-update/pre-check', query: { controlPcbId: '$record.id', firmwareId: '$form.firmwareId' },
      override: 'overrideReason', many: true },
    success: ['The update is requested', 'Обновление запрошено'],
  },
  quarantine: {
    label: ['Put in quarantine', 'Отправить на карантин'], icon: 'ban', roles: staff, set: { lifecycle: 'QUARANTINED' },
    when: { field: 'lifecycle', op: 'eq', value: 'ACTIVE' },
    confirm: { danger: true,
      body: ['It is taken out of service: no update can be requested for it until it is put back.',
        'Плата выводится из работы: пока она на карантине, обновления не запрашиваются.'],
      many: ['They are taken out of service: no update can be requested for them until they are put back.',
        'Платы выводятся из работы: пока они на карантине, обновления не запрашиваются.'] },
    success: ['The board is in quarantine', 'Плата на карантине'],
  },
  'put-back': {
    label: ['Put back into service', 'Вернуть в работу'], icon: 'undo', roles: staff, set: { lifecycle: 'ACTIVE' },
    when: { field: 'lifecycle', op: 'eq', value: 'QUARANTINED' },
    success: ['The board is in service again', 'Плата снова в работе'],
  },
  'capture-raw': {
    label: ['Capture raw packets', 'Записать пакеты'], icon: 'package', roles: fleetStaff, permit: 'served',
    when: { field: 'capturingUntil', op: 'null', value: true },
    refresh: ['package'],
    form: {
      minutes: { type: 'enum', label: ['For how long', 'На какое время'], required: true, default: '60', options: captureSpans,
        help: captureHelp },
      reason:  { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 },
    },
    success: ['Packets are captured from now on', 'Запись пакетов начата'],
  },
  'stop-capture': {
    label: ['Stop capture', 'Остановить запись'], icon: 'pause', roles: fleetStaff, permit: 'served',
    when: { field: 'capturingUntil', op: 'null', value: false },
    success: ['The capture has ended', 'Запись пакетов завершена'],
  },
  'apply-template': {
    label: ['Apply template', 'Применить шаблон'], icon: 'settings', roles: fleetStaff, permit: 'served',
    refresh: ['configuration-template'],
    when: { field: 'lifecycle', op: 'ne', value: 'RETIRED' },
    form: {
      templateId:  { type: 'reference', label: ['Template', 'Шаблон'], required: true, to: 'configuration-template' },
      confirmCode: { type: 'text',      label: ['Code of the template', 'Код шаблона'], maxLength: 64,
        help: ['Type it when a protective limit changes: a wrong value can injure people and damage cells',
          'Введите, если меняется защитный предел: ошибка опасна для людей и ячеек'] },
      reason:      { type: 'text',      label: ['Reason', 'Причина'], maxLength: 250 },
    },
    success: ['The template is applied; the board takes it when it next reports',
      'Шаблон применён, плата примет его при следующей связи'],
  },
  'device-key': {
    label: ['Create key', 'Создать ключ'], icon: 'key', call: ['POST', 'control-pcb/{id}/device-key'], roles: ['admin'],
    fresh: true,
    confirm: { danger: { field: 'key.madeAt', op: 'null', value: false },
      body: ['The board gets a new key, which is shown only once.', 'Плата получит новый ключ: он показывается один раз.'],
      also: [{ when: { field: 'key.madeAt', op: 'null', value: false },
        text: ['The current key stops working immediately.', 'Действующий ключ сразу перестанет работать.'] }] },
    reveals: { value: 'deviceKey', label: ['Device key', 'Ключ устройства'], text: deviceKeyHelp, command: tryKey },
    success: ['The board has a new key', 'У платы новый ключ'],
  },
  'next-key': {
    label: ['Create next key', 'Создать следующий ключ'], icon: 'key', call: ['POST', 'control-pcb/{id}/next-key'],
    roles: ['admin'],
    fresh: true,
    when: { field: 'lifecycle', op: 'ne', value: 'RETIRED' },
    confirm: {
      body: ['The present key works until the board uses the new one, and a day longer.',
        'Действующий ключ работает, пока плата не использует новый, и ещё сутки.'],
      many: ['The present key of each works until the board uses the new one, and a day longer.',
        'Действующий ключ каждой платы работает, пока она не использует новый, и ещё сутки.'] },
    reveals: { value: 'deviceKey', label: ['Device key', 'Ключ устройства'], text: deviceKeyHelp, command: tryKey },
    success: ['The next key is made', 'Следующий ключ создан'],
  },
} as const satisfies Record<string, Action>
