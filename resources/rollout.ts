import type { State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { staff } from '#schema/roles.ts'
import { boardConditions } from './shared/board-conditions.ts'
import { bringsFirmware, bringsTemplate, firstFields, rolloutPayloads, waitFields, waveFields,
  wavePlanFields } from './shared/rollout-parts.ts'

export const rolloutStates = {
  DRAFT:    { tone: 'idle', label: ['Draft', 'Черновик'], next: ['RUNNING'] },
  RUNNING:  { tone: 'info', label: ['Running', 'Идёт'], next: ['PAUSED', 'FINISHED', 'STOPPED'] },
  PAUSED:   { tone: 'warn', label: ['Paused', 'Приостановлена'], next: ['RUNNING', 'STOPPED'] },
  FINISHED: { tone: 'good', label: ['Finished', 'Завершена'] },
  STOPPED:  { tone: 'idle', label: ['Stopped', 'Остановлена'] },
} as const satisfies Record<string, State>

/** The fields that decide which boards it takes in. */
export const rolloutChoice = ['brings', 'firmwareId', 'templateId', 'hardwareRevisions', 'versionFrom', 'versionTo',
  'essModelIds', 'regions', 'onlineOnly', 'controlPcbIds'] as const

const hasStarted = { field: 'status', op: 'ne', value: 'DRAFT' } as const

/** Firmware or settings for many boards, brought in waves; it pauses when too many fail. */
export const rollout = defineResource({
  name: 'rollout',
  label: { one: ['Rollout', 'Раскатка'], many: ['Rollouts', 'Раскатки'] },
  icon: 'chip',
  menu: { group: 'firmware',
    count: { filters: { status: ['RUNNING', 'PAUSED'] }, tone: 'info', label: ['under way', 'идёт'] } },
  title: 'name',
  unseen: { service_engineer: ['name'] },
  when: { edit: { field: 'status', op: 'eq', value: 'DRAFT' }, delete: { field: 'status', op: 'eq', value: 'DRAFT' } },
  live: true,

  fields: {
    name:             { type: 'text',       label: ['Name', 'Название'], required: true, maxLength: 64, search: true },
    brings:           { type: 'enum',       label: ['Installs', 'Что установить'], required: true, default: 'FIRMWARE',
      options: rolloutPayloads },
    firmwareId:       { type: 'reference',  label: ['Firmware', 'Прошивка'], required: true, when: bringsFirmware,
      to: 'firmware', options: 'firmware/for-request-update', groups: { by: 'status', labels: {
        RELEASED: ['Released', 'Выпущена'], TESTING: ['Testing', 'На испытании'] } } },
    templateId:       { type: 'reference',  label: ['Template', 'Шаблон'], required: true, when: bringsTemplate,
      to: 'configuration-template',
      help: ['Its settings as they are at the start; a later change of it pauses the rollout',
        'Настройки на момент начала; если шаблон затем изменят, раскатка встанет на паузу'] },
    ...boardConditions,
    waves:            { type: 'list',       label: ['Waves', 'Волны'], maxItems: 10, detailOnly: true,
      help: ['Leave empty: one board, then 10 %, then all', 'Пусто — одна плата, затем 10 %, затем все'],
      divides: { count: 'boards', share: 'sharePct', label: ['Wave {number}', 'Волна {number}'],
        usual: [{ boards: 1 }, { sharePct: 10 }, { sharePct: 100 }] }, fields: wavePlanFields },
    status:           { type: 'status',     label: ['State', 'Состояние'], readOnly: true, default: 'DRAFT',
      states: rolloutStates },
    statusReason:     { type: 'text',       label: ['Reason', 'Причина'], readOnly: true },
    wave:             { type: 'integer',    label: ['Wave', 'Волна'], readOnly: true },
    waveSince:        { type: 'dateTime',   label: ['Wave since', 'Волна с'], readOnly: true },
    waveReadyAt:      { type: 'dateTime',   label: ['Observing since', 'Под наблюдением с'], readOnly: true },
    acceptedFailures: { type: 'integer',    label: ['Failures accepted', 'Принято неудач'], readOnly: true },
    nextWaveAt:       { type: 'dateTime',   label: ['Next wave at the earliest', 'Следующая волна не раньше'], derived: true,
      readOnly: true },
    endsAt:           { type: 'dateTime',   label: ['Ends at the earliest', 'Закончится не раньше'], derived: true,
      relative: true, readOnly: true, detailOnly: true },
    subject:          { type: 'text',       label: ['Version or template', 'Версия или шаблон'], derived: true,
      readOnly: true },
    startedAt:        { type: 'dateTime',   label: ['Started', 'Начата'], relative: true, readOnly: true },
    startedBy:        { type: 'reference',  label: ['Started by', 'Кем начата'], to: 'user', readOnly: true },
    finishedAt:       { type: 'dateTime',   label: ['Finished', 'Завершена'], readOnly: true },
    progress:         { type: 'group',      label: ['Progress', 'Выполнение'], derived: true, readOnly: true, fields: {
      boards:    { type: 'count', label: ['Boards', 'Плат'] },
      waiting:   { type: 'count', label: ['Waiting', 'Ждут'] },
      open:      { type: 'count', label: ['Under way', 'В работе'] },
      succeeded: { type: 'count', label: ['Succeeded', 'Успешно'] },
      failed:    { type: 'count', label: ['Failed', 'Неудачно'] },
      skipped:   { type: 'count', label: ['Left out', 'Пропущено'] },
    } },
    waveProgress:     { type: 'list',       label: ['By wave', 'По волнам'], derived: true, readOnly: true, detailOnly: true,
      bars: { by: 'wave', counts: { succeeded: 'good', failed: 'bad', open: 'info', waiting: 'idle', skipped: 'warn' } },
      fields: waveFields },
    firstBoards:      { type: 'list',       label: ['First boards, and why they were chosen', 'Первые платы и причина выбора'],
      derived: true, readOnly: true, detailOnly: true, fields: firstFields },
    waits:            { type: 'list',       label: ['Why boards wait', 'Почему платы ждут'], derived: true, readOnly: true,
      detailOnly: true, fields: waitFields },
    leftOut:          { type: 'list',       label: ['Why boards are left out', 'Почему платы пропущены'], derived: true,
      readOnly: true, detailOnly: true, fields: waitFields },
  },

  list: {
    columns: ['name', 'brings', 'subject', 'status', 'wave', 'progress.succeeded', 'progress.failed', 'progress.boards',
      'startedAt'],
    filters: ['status', 'brings', 'firmwareId', 'templateId'],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { warn: { field: 'status', op: 'eq', value: 'PAUSED' } },
    views: { open: { label: ['Under way', 'Идут'], filters: { status: ['RUNNING', 'PAUSED'] } } },
    empty: { title: ['No rollouts yet', 'Раскаток пока нет'],
      text: ['A rollout brings firmware or settings to boards in waves, and pauses when too many fail.',
        'Раскатка ставит прошивку или настройки волнами и встаёт на паузу, когда неудач слишком много.'],
      first: ['Release a firmware or write a template, then create the first rollout.',
        'Выпустите прошивку или создайте шаблон, затем — первую раскатку.'] },
  },
  outlook: { of: 'control-pcb',
    values: rolloutChoice,
    help: ['The conditions are evaluated once more when the rollout starts.',
      'Условия проверяются ещё раз при начале раскатки.'] },
  why: [{ when: { field: 'status', op: 'eq', value: 'PAUSED' }, tone: 'status',
    text: ['Paused: no more boards start. An admin resumes or stops it.',
      'На паузе: новые платы не начинают. Продолжить или остановить её может администратор.'] }],
  sections: {
    status: ['status', 'statusReason'],
    rollout: { label: ['Rollout', 'Раскатка'], when: hasStarted,
      fields: ['waveProgress', 'progress', 'acceptedFailures', 'firstBoards', 'waits', 'leftOut'] },
    course: { label: ['Course', 'Ход'], when: hasStarted, fields: ['wave', 'waveSince', 'waveReadyAt', 'nextWaveAt', 'endsAt',
      'startedAt', 'startedBy', 'finishedAt'] },
    identity: ['name', 'brings', 'firmwareId', 'templateId', 'subject'],
    boards: { label: ['Boards', 'Платы'], fields: ['hardwareRevisions', 'versionFrom', 'versionTo', 'essModelIds', 'regions',
      'onlineOnly', 'controlPcbIds'] },
    waves: { label: ['Waves', 'Волны'], fields: ['waves'] },
  },
  tabs: {
    boards: { label: ['Boards', 'Платы'], resource: 'rollout-board', from: 'rollout/{id}/boards' },
    updates: { label: ['Updates', 'Обновления'], resource: 'firmware-update',
      columns: ['controlPcbId', 'wave', 'status', 'waiting', 'progressPct', 'fromVersion', 'toVersion', 'attempt',
        'failureCode'],
      empty: { title: ['No updates', 'Обновлений нет'],
        text: ['A rollout of firmware updates its boards; one of settings makes no updates.',
          'Раскатка прошивки обновляет платы, раскатка настроек обновлений не создаёт.'] } },
  },
  // Staff may hold a rollout; letting it go on is left to an admin.
  actions: {
    start: {
      label: ['Start', 'Начать'], icon: 'play', roles: ['admin'], fresh: true, refresh: ['rollout-board'],
      when: { field: 'status', op: 'eq', value: 'DRAFT' },
      confirm: { outlook: true, typeToConfirm: 'subject', typeAbove: 50,
        body: ['The boards of the first wave begin at once.', 'Платы первой волны начнут сразу.'] },
      success: ['The rollout has started', 'Раскатка начата'],
    },
    pause: {
      label: ['Pause', 'Приостановить'], icon: 'pause', roles: staff,
      when: { field: 'status', op: 'eq', value: 'RUNNING' },
      form: { note: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } }, reason: 'note',
      confirm: { body: ['No more boards start until an admin resumes it.', 'Продолжить её может только администратор.'] },
      success: ['Paused: no more boards will start', 'Новые платы не начнут'],
    },
    resume: {
      label: ['Resume', 'Продолжить'], icon: 'play', roles: ['admin'], fresh: true,
      when: { field: 'status', op: 'eq', value: 'PAUSED' },
      form: { note: { type: 'text', label: ['Why it may go on', 'Почему можно продолжать'], required: true, maxLength: 250 } },
      reason: 'note',
      success: ['The rollout continues', 'Раскатка продолжается'],
    },
    stop: {
      label: ['Stop', 'Остановить'], icon: 'ban', roles: ['admin'], refresh: ['firmware-update', 'rollout-board'],
      when: { field: 'status', op: 'in', value: ['RUNNING', 'PAUSED'] },
      confirm: { danger: true,
        body: ['Boards that have not begun stay as they are; those that have begun finish.',
          'Платы, которые не начали, останутся как есть; начавшие закончат.'] },
      success: ['The rollout is stopped', 'Раскатка остановлена'],
    },
  },
  // Import: boards and waves are chosen against the present fleet, and the start asks for a confirmation.
  import: false,
  access: { list: staff, create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
