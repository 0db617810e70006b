import type { State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { configurationFailures, rolloutWaits } from './shared/updates.ts'

export const rolloutBoardStates = {
  WAITING:   { tone: 'idle', label: ['Waiting', 'Ждёт'] },
  UNDER_WAY: { tone: 'info', label: ['Under way', 'В работе'] },
  SUCCEEDED: { tone: 'good', label: ['Succeeded', 'Успешно'] },
  FAILED:    { tone: 'bad',  label: ['Failed', 'Ошибка'] },
  LEFT_OUT:  { tone: 'warn', label: ['Left out', 'Пропущена'] },
} as const satisfies Record<string, State>

/** A board of a rollout, with what became of it. */
export const rolloutBoard = defineResource({
  name: 'rollout-board',
  menu: false,
  label: { one: ['Board of a rollout', 'Плата раскатки'], many: ['Boards of a rollout', 'Платы раскатки'] },
  title: 'id',

  fields: {
    rolloutId:     { type: 'reference', label: ['Rollout', 'Раскатка'], to: 'rollout', readOnly: true },
    controlPcbId:  { type: 'reference', label: ['Control PCB', 'Плата'], to: 'control-pcb', readOnly: true },
    wave:          { type: 'integer',   label: ['Wave', 'Волна'], readOnly: true },
    state:         { type: 'status',    label: ['State', 'Состояние'], derived: true, readOnly: true,
      states: rolloutBoardStates },
    reason:        { type: 'enum',      label: ['Reason', 'Причина'], derived: true, readOnly: true,
      options: rolloutWaits },
    failure:       { type: 'enum',      label: ['Failure', 'Сбой'], derived: true, readOnly: true,
      options: configurationFailures },
    rejectReason:  { type: 'text',      label: ['The board says', 'Плата сообщила'], derived: true, readOnly: true },
    configVersion: { type: 'integer',   label: ['Configuration', 'Конфигурация'], derived: true, readOnly: true },
    updateId:      { type: 'reference', label: ['Update', 'Обновление'], derived: true, readOnly: true, to: 'firmware-update' },
    progressPct:   { type: 'percent',   label: ['Progress', 'Выполнение'], derived: true, readOnly: true },
    deadlineAt:    { type: 'dateTime',  label: ['Next step until', 'Следующий шаг до'], derived: true, readOnly: true },
  },

  list: {
    columns: ['controlPcbId', 'wave', 'state', 'reason', 'failure', 'rejectReason', 'configVersion', 'progressPct',
      'deadlineAt', 'updateId'],
    filters: ['wave', 'state', 'reason', 'controlPcbId'],
    sort: { field: 'wave', order: 'asc' },
    empty: { title: ['No boards yet', 'Плат пока нет'],
      text: ['The boards are chosen when the rollout starts.', 'Платы выбираются при начале раскатки.'] },
  },
  access: { list: [], show: [] },
  api: { list: false, show: false, create: false, update: false, delete: false },
})
