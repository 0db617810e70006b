import type { Fields } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff } from '#schema/roles.ts'
import { isAssigned } from './shared/status-parts.ts'
import {
  failedStates, offerGroups, overrideField, updateFailures, updateStates, updateTimeFields, updateWaits,
} from './shared/updates.ts'
import { windowFields, windowLine } from './shared/week-window.ts'

/** Window that the request waits for; present until the board begins. */
const updateWaitFields = {
  waiting:  { type: 'enum',  label: ['Waits for', 'Ждёт'], derived: true, readOnly: true, options: updateWaits },
  waitsFor: { type: 'group', label: ['Waits for its window', 'Ждёт своего окна'], derived: true, readOnly: true,
    line: `${windowLine}, {timezone}`,
    fields: { ...windowFields, timezone: { type: 'timezone', label: ['Time zone', 'Часовой пояс'] } } },
} as const satisfies Fields

/** Trace of an update: times, failure, people, events. */
const updateTraceFields = {
  stateSince:     { type: 'dateTime',  label: ['In this state since', 'В этом состоянии с'], relative: true, readOnly: true },
  progressAt:     { type: 'dateTime',  label: ['Last progress', 'Последнее продвижение'], relative: true, readOnly: true },
  deadlineAt:     { type: 'dateTime',  label: ['Deadline of the state', 'Крайний срок этапа'], readOnly: true },
  finishedAt:     { type: 'dateTime',  label: ['Finished', 'Завершено'], readOnly: true },
  failureCode:    { type: 'enum',      label: ['Failure', 'Ошибка'], readOnly: true, options: updateFailures },
  failureMessage: { type: 'text',      label: ['Failure in words', 'Описание ошибки'], readOnly: true },
  requestedBy:    { type: 'reference', label: ['Requested by', 'Кем запрошено'], readOnly: true, to: 'user',
    none: ['automatically', 'автоматически'] },
  canceledBy:     { type: 'reference', label: ['Cancelled by', 'Кем отменено'], readOnly: true, to: 'user' },
  rolloutId:      { type: 'reference', label: ['Rollout', 'Раскатка'], readOnly: true, to: 'rollout' },
  served: isAssigned,
  wave:           { type: 'integer',   label: ['Wave', 'Волна'], readOnly: true },
  events:         { type: 'list',      label: ['Events', 'События'], readOnly: true, detailOnly: true, fields: {
    at:          { type: 'dateTime', label: ['Time', 'Время'] },
    from:        { type: 'status',   label: ['From||version', 'Из'], states: updateStates },
    to:          { type: 'status',   label: ['To||version', 'В'], states: updateStates },
    progressPct: { type: 'percent',  label: ['Progress', 'Выполнение'] },
    source:      { type: 'enum',     label: ['By', 'Кем'], options: {
      BOARD:  ['Board', 'Плата'],
      SERVER: ['Server', 'Сервер'],
      USER:   ['Person', 'Пользователь'],
    } },
    code:        { type: 'text',     label: ['Code', 'Код'] },
    values:      { type: 'json',     label: ['Values', 'Значения'] },
    message:     { type: 'text',     label: ['Message', 'Сообщение'] },
  } },
} as const satisfies Fields

/** A request that a board installs a firmware, and how it went. */
export const firmwareUpdate = defineResource({
  name: 'firmware-update',
  label: { one: ['Firmware update', 'Обновление прошивки'], many: ['Firmware updates', 'Обновления прошивок'] },
  icon: 'refresh',
  menu: { group: 'firmware', count: { filters: { finishedAt_null: true }, tone: 'info', label: ['open', 'открыто'] } },
  title: 'toVersion',
  about: ['controlPcbId'],
  live: true,

  fields: {
    controlPcbId:     { type: 'reference', label: ['Control PCB', 'Плата'], required: true, immutable: true, to: 'control-pcb',
      options: 'control-pcb/for-request-update' },
    essId:            { type: 'reference', label: ['ESS', 'СНЭ'], readOnly: true, to: 'ess' },
    firmwareId:       { type: 'reference', label: ['Firmware', 'Прошивка'], required: true, immutable: true, to: 'firmware',
      options: 'firmware/for-request-update?controlPcbId={controlPcbId}', groups: offerGroups,
      help: ['Firmware that fits the hardware and version of the board', 'Что подходит плате по её версии и аппаратуре'] },
    fromVersion:      { type: 'semver',    label: ['From version', 'С версии'], readOnly: true },
    toVersion:        { type: 'semver',    label: ['To version', 'На версию'], readOnly: true },
    kind:             { type: 'enum',      label: ['Kind', 'Вид'], readOnly: true, options: {
      UPGRADE:   ['Upgrade', 'Обновление'],
      DOWNGRADE: ['Downgrade', 'Возврат к прежней'],
      REINSTALL: ['Reinstall', 'Переустановка'],
    } },
    status:           { type: 'status',    label: ['State', 'Состояние'], readOnly: true, default: 'QUEUED',
      states: updateStates },
    progressPct:      { type: 'percent',   label: ['Progress', 'Выполнение'], readOnly: true },
    bytesSent:        { type: 'bytes',     label: ['Loaded', 'Загружено'], readOnly: true },
    confirmedPackets: { type: 'integer',   label: ['Valid packets with the new version', 'Верных пакетов с новой версией'],
      readOnly: true },
    attempt:          { type: 'integer',   label: ['Attempt', 'Попытка'], readOnly: true },
    maxAttempts:      { type: 'integer',   label: ['Attempts allowed', 'Попыток разрешено'], immutable: true, min: 1, max: 4,
      default: 3 },
    retryOfId:        { type: 'reference', label: ['Retry of', 'Повтор для'], readOnly: true, to: 'firmware-update' },
    retried:          { type: 'boolean',   label: ['Retried automatically', 'Повторено автоматически'], readOnly: true },
    ...updateTimeFields,
    overrideReason:   overrideField,
    ...updateWaitFields,
    ...updateTraceFields,
  },

  list: {
    columns: ['createdAt', 'controlPcbId', 'status', 'progressPct', 'fromVersion', 'toVersion', 'failureCode',
      'requestedBy', 'waiting'],
    filters: ['status', 'kind', 'failureCode', 'firmwareId', 'controlPcbId', 'essId', 'createdAt'],
    card: [['toVersion', 'controlPcbId', 'status'], ['createdAt', 'progressPct', 'failureCode']],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { bad: { field: 'status', op: 'in', value: ['FAILED', 'ROLLED_BACK'] } },
    bulk: ['cancel', 'retry'],
    views: { open: { label: ['Open', 'Открытые'], filters: { finishedAt_null: true } },
      failed: { label: ['Failed', 'Неудачные'], filters: { status: failedStates } } },
    empty: { title: ['No updates yet', 'Обновлений пока нет'],
      text: ['An update brings one board to one firmware.', 'Обновление ставит одну прошивку на одну плату.'],
      first: ['Request one for a board, or create a rollout for many.',
        'Запросите его для платы или создайте раскатку для многих плат.'] },
  },
  sections: {
    update: { label: ['Update', 'Обновление'], fields: ['controlPcbId', 'essId', 'firmwareId', 'fromVersion', 'toVersion',
      'kind', 'status', 'progressPct', 'bytesSent', 'confirmedPackets', 'failureCode', 'failureMessage'] },
    schedule: ['scheduledAt', 'window', 'waiting', 'waitsFor', 'overrideReason', 'stateSince', 'progressAt',
      'deadlineAt', 'finishedAt', 'attempt', 'maxAttempts', 'retryOfId', 'retried', 'rolloutId', 'wave'],
    people: ['requestedBy', 'canceledBy'],
    history: ['events'],
  },
  actions: {
    cancel: {
      label: ['Cancel', 'Отменить'], icon: 'ban', roles: fleetStaff, permit: 'served', refresh: ['control-pcb'],
      when: { field: 'status', op: 'in', value: ['SCHEDULED', 'QUEUED', 'DOWNLOADING', 'VERIFYING'] },
      confirm: { danger: true, body: ['The board keeps its present version.', 'На плате останется нынешняя версия.'],
        many: ['The boards keep their present versions.', 'На платах останутся нынешние версии.'] },
      success: ['The update is being cancelled', 'Обновление отменяется'],
    },
    retry: {
      label: ['Try again', 'Повторить'], icon: 'refresh', call: ['POST', 'firmware-update/{id}/retry'], roles: fleetStaff,
      permit: 'served', refresh: ['control-pcb'],
      when: { field: 'status', op: 'in', value: ['FAILED', 'ROLLED_BACK', 'CANCELED', 'EXPIRED'] },
      success: ['The update is requested again', 'Обновление запрошено снова'],
    },
  },
  tabs: {
    index: { label: ['Update', 'Обновление'], widget: 'update-record' },
  },
  checks: { from: 'firmware-update/pre-check', query: { controlPcbId: '$form.controlPcbId', firmwareId: '$form.firmwareId' },
    override: 'overrideReason' },
  figures: {
    open:   { place: 'updates', label: ['Open updates', 'Открытые обновления'], tone: 'info',
      filters: { finishedAt_null: true } },
    failed: { place: 'updates', label: ['Updates failed, 7 days', 'Сбои обновлений за 7 дней'], tone: 'warn',
      filters: { status: failedStates, createdAt_gte: '$now-7d' } },
  },
  // Import: each request is checked against its board first. Many boards are updated by a rollout.
  import: false,
  access: { list: fleetStaff, create: fleetStaff },
})
