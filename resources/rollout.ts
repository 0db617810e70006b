import { defineResource } from '#schema/resource.ts'
import { rolloutActions } from './rollout-actions.ts'
import { rolloutStates } from './states.ts'

/** A firmware brought to many boards wave by wave; it stops by itself when too many fail. */
export const rollout = defineResource({
  name: 'rollout',
  label: { one: ['Rollout', 'Раскатка'], many: ['Rollouts', 'Раскатки'] },
  icon: 'chip',
  title: 'name',
  live: true,

  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true, maxLength: 64, search: true },
    firmwareId: { type: 'reference', label: ['Firmware', 'Прошивка'], required: true, to: 'firmware',
      options: 'firmware/for-request-update' },
    controlPcbIds: { type: 'references', label: ['Boards', 'Платы'], to: 'control-pcb', maxItems: 500,
      help: ['Empty = every active board that it fits and is newer for',
        'Пусто — все платы в работе, которым она подходит и для которых новее'] },
    waves: { type: 'list', label: ['Waves', 'Волны'], maxItems: 10, detailOnly: true,
      help: ['Empty = one board, then 10 %, then all', 'Пусто — одна плата, затем 10 %, затем все'], fields: {
        boards: { type: 'integer', label: ['Boards', 'Плат'], min: 1, max: 100_000 },
        sharePct: { type: 'percent', label: ['or up to', 'или до'], min: 1, max: 100 },
        soakMin: { type: 'integer', label: ['Minutes to watch', 'Минут наблюдения'], min: 0, max: 10_080, default: 60 },
        successPct: { type: 'percent', label: ['Success needed', 'Нужно успешных'], min: 1, max: 100, default: 90 },
        maxFailures: { type: 'integer', label: ['Pause at failures', 'Пауза при неудачах'], min: 1, max: 100_000,
          help: ['Empty = 1 in the first wave, then 10 %', 'Пусто — 1 в первой волне, далее 10 %'] } } },
    status: { type: 'status', label: ['State', 'Состояние'], readOnly: true, default: 'DRAFT', states: rolloutStates },
    statusReason: { type: 'text', label: ['Reason', 'Причина'], readOnly: true },
    wave: { type: 'integer', label: ['Wave', 'Волна'], readOnly: true },
    waveSince: { type: 'dateTime', label: ['Wave since', 'Волна с'], readOnly: true },
    waveReadyAt: { type: 'dateTime', label: ['Watched since', 'Под наблюдением с'], readOnly: true },
    acceptedFailures: { type: 'integer', label: ['Failures accepted', 'Принято неудач'], readOnly: true },
    startedAt: { type: 'dateTime', label: ['Started', 'Начата'], relative: true, readOnly: true },
    finishedAt: { type: 'dateTime', label: ['Finished', 'Завершена'], readOnly: true },
    progress: { type: 'group', label: ['Progress', 'Ход'], derived: true, readOnly: true, fields: {
      boards: { type: 'count', label: ['Boards', 'Плат'] }, waiting: { type: 'count', label: ['Waiting', 'Ждут'] },
      open: { type: 'count', label: ['Under way', 'В работе'] },
      succeeded: { type: 'count', label: ['Succeeded', 'Успешно'] },
      failed: { type: 'count', label: ['Failed', 'Неудачно'] },
      skipped: { type: 'count', label: ['Left out', 'Пропущено'] } } },
  },

  list: {
    columns: ['name', 'firmwareId', 'status', 'wave', 'progress.succeeded', 'progress.failed', 'progress.boards', 'startedAt'],
    filters: ['status', 'firmwareId'],
    sort: { field: 'createdAt', order: 'desc' },
    tone: { warn: { field: 'status', op: 'eq', value: 'PAUSED' } },
  },
  sections: {
    status: ['name', 'firmwareId', 'status', 'statusReason', 'wave', 'waveSince', 'waveReadyAt', 'startedAt', 'finishedAt'],
    rollout: ['progress', 'acceptedFailures'],
    schedule: ['controlPcbIds', 'waves'],
  },
  tabs: {
    updates: { label: ['Updates', 'Обновления'], resource: 'firmware-update',
      columns: ['controlPcbId', 'wave', 'status', 'waitsFor', 'progressPct', 'fromVersion', 'toVersion', 'attempt',
        'failureCode'] },
  },
  actions: rolloutActions,
  access: { list: ['admin', 'moderator'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
