import type { Action } from '#schema/resource.ts'
import { fleetStaff } from '#schema/roles.ts'

/** Actions on a warning: for those who serve its site; all fleet staff may comment. */
export const warningActions = {
  acknowledge: {
    label: ['Acknowledge', 'Подтвердить'], icon: 'check', key: 'a', roles: fleetStaff, permit: 'served',
    refresh: ['ess', 'control-pcb'],
    when: { field: 'acknowledged', op: 'ne', value: true },
    form: { note: { type: 'text', label: ['Note', 'Примечание'], maxLength: 1000 } }, reason: 'note',
    success: ['The warning is acknowledged', 'Предупреждение подтверждено'],
  },
  assign: {
    label: ['Assign', 'Назначить'], icon: 'user', key: 'i', roles: fleetStaff, permit: 'served',
    form: {
      userId: { type: 'reference', label: ['Assignee', 'Исполнитель'], to: 'user', required: true,
        options: 'telemetry-warning/assignees?warningId={id}' },
    },
    checks: { from: 'telemetry-warning/assign-check', many: 'only',
      query: { warningId: '$record.id', userId: '$form.userId' } },
    success: ['The warning is assigned', 'Предупреждение назначено'],
  },
  clear: {
    label: ['Clear||warning', 'Снять'], icon: 'close', key: 'e', roles: fleetStaff, permit: 'served',
    refresh: ['ess', 'control-pcb'],
    when: { all: [{ field: 'active', op: 'eq', value: true }, { field: 'latched', op: 'eq', value: true }] },
    form: { note: { type: 'text', label: ['What was done', 'Что сделано'], required: true, maxLength: 1000 } },
    reason: 'note',
    confirm: { danger: true,
      body: ['Clear it only when its cause is gone: it comes back otherwise.',
        'Снимайте, только если причина устранена, иначе оно вернётся.'],
      many: ['Clear them only when their causes are gone: they come back otherwise.',
        'Снимайте, только если причины устранены, иначе они вернутся.'] },
    success: ['The warning is cleared', 'Предупреждение снято'],
  },
  take: {
    label: ['Assign to me', 'Взять себе'], icon: 'user', key: 'm', roles: fleetStaff, permit: 'served',
    when: { field: 'assigneeId', op: 'ne', value: '$user.id' },
    success: ['The warning is assigned to you', 'Предупреждение назначено вам'],
  },
  snooze: {
    label: ['Snooze', 'Отложить'], icon: 'pause', key: 's', roles: fleetStaff, permit: 'served',
    when: { field: 'active', op: 'eq', value: true },
    body: { zone: '$zone' },
    form: {
      period: { type: 'enum', label: ['For how long', 'На какое время'], required: true, default: 'HOUR', options: {
        HOUR:       ['1 hour', '1 час'],
        FOUR_HOURS: ['4 hours', '4 часа'],
        TOMORROW:   ['Until tomorrow, 08:00', 'До завтра, 08:00'],
        OWN:        ['Until a custom time', 'До указанного времени'],
      } },
      until:  { type: 'dateTime', label: ['Until', 'До'], required: true, when: { field: 'period', op: 'eq', value: 'OWN' } },
      reason: { type: 'text', label: ['Reason', 'Причина'], required: true, maxLength: 250 },
    },
    success: ['The warning is snoozed', 'Предупреждение отложено'],
  },
  wake: {
    label: ['End snooze', 'Вернуть в работу'], icon: 'play', roles: fleetStaff, permit: 'served',
    when: { field: 'snoozed', op: 'eq', value: true },
    success: ['The warning is back', 'Предупреждение снова в работе'],
  },
  comment: {
    label: ['Comment', 'Комментарий'], icon: 'edit', key: 'c', roles: fleetStaff,
    call: ['POST', 'telemetry-warning/{id}/comment'],
    form: { text: { type: 'longText', label: ['Comment', 'Комментарий'], required: true, maxLength: 2000 } },
    reason: 'text',
    success: ['The comment is added', 'Комментарий добавлен'],
  },
  'open-case': {
    label: ['Open case file', 'Открыть досье'], icon: 'save', roles: fleetStaff, permit: 'served', refresh: ['case-file'],
    opens: 'case-file',
    success: ['Case file created', 'Досье создано'],
  },
} as const satisfies Record<string, Action>
