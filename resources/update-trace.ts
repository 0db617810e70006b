import type { Fields } from '#schema/field-types.ts'
import { served } from './served.ts'
import { updateFailures, updateStates } from './update-states.ts'

/** How an update went: times, what stopped it, who had a part in it. */
export const updateTraceFields = {
  stateSince: { type: 'dateTime', label: ['In this state since', 'В этом состоянии с'], relative: true, readOnly: true },
  progressAt: { type: 'dateTime', label: ['Last progress', 'Последнее продвижение'], relative: true, readOnly: true },
  deadlineAt: { type: 'dateTime', label: ['Deadline of the state', 'Срок состояния'], readOnly: true },
  finishedAt: { type: 'dateTime', label: ['Finished', 'Завершено'], readOnly: true },
  failureCode: { type: 'enum', label: ['Failure', 'Ошибка'], readOnly: true, options: updateFailures },
  failureMessage: { type: 'text', label: ['Failure in words', 'Описание ошибки'], readOnly: true },
  requestedBy: { type: 'reference', label: ['Requested by', 'Кем запрошено'], readOnly: true, to: 'user',
    none: ['by itself', 'автоматически'] },
  canceledBy: { type: 'reference', label: ['Cancelled by', 'Кем отменено'], readOnly: true, to: 'user' },
  rolloutId: { type: 'reference', label: ['Rollout', 'Раскатка'], readOnly: true, to: 'rollout' },
  served,
  wave: { type: 'integer', label: ['Wave', 'Волна'], readOnly: true },
  events: { type: 'list', label: ['Events', 'События'], readOnly: true, detailOnly: true, fields: {
    at: { type: 'dateTime', label: ['Time', 'Время'] },
    from: { type: 'status', label: ['From', 'Из'], states: updateStates },
    to: { type: 'status', label: ['To', 'В'], states: updateStates },
    progressPct: { type: 'percent', label: ['Progress', 'Ход'] },
    source: { type: 'enum', label: ['By', 'Кем'], options: { BOARD: ['Board', 'Плата'], SERVER: ['Server', 'Сервер'],
      USER: ['Person', 'Пользователь'] } },
    code: { type: 'text', label: ['Code', 'Код'] }, values: { type: 'json', label: ['Values', 'Значения'] },
    message: { type: 'text', label: ['Message', 'Сообщение'] } } },
} as const satisfies Fields
