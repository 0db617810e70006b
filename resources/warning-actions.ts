import type { Action } from '#schema/resource.ts'
import { fieldRoles } from './served.ts'

/** What is done about a warning; each of it with many at once, too. */
export const warningActions = {
  acknowledge: {
    label: ['Acknowledge', 'Принять'], icon: 'check', roles: fieldRoles, permit: 'served', refresh: ['ess', 'control-pcb'],
    when: { field: 'acknowledged', op: 'ne', value: true },
    form: { note: { type: 'text', label: ['Note', 'Примечание'], maxLength: 1000 } },
    success: ['The warning is acknowledged', 'Предупреждение принято'],
  },
  assign: {
    label: ['Assign', 'Назначить'], icon: 'user', roles: fieldRoles, permit: 'served',
    form: { userId: { type: 'reference', label: ['Who takes care', 'Кто занимается'], to: 'user', required: true,
      options: 'telemetry-warning/assignees' } },
    success: ['The warning is assigned', 'Предупреждение назначено'],
  },
  clear: {
    label: ['Clear', 'Снять'], icon: 'close', roles: fieldRoles, permit: 'served', refresh: ['ess', 'control-pcb'],
    when: { all: [{ field: 'active', op: 'eq', value: true }, { field: 'latched', op: 'eq', value: true }] },
    form: { note: { type: 'text', label: ['What was done', 'Что сделано'], required: true, maxLength: 1000 } },
    confirm: { danger: true, body: ['Clear it only when its cause is gone: it comes back otherwise.',
      'Снимайте, только если причина устранена, иначе оно вернётся.'] },
    success: ['The warning is cleared', 'Предупреждение снято'],
  },
  comment: {
    label: ['Comment', 'Комментарий'], icon: 'edit', call: ['POST', 'telemetry-warning/{id}/comment'], roles: fieldRoles,
    form: { text: { type: 'longText', label: ['Comment', 'Комментарий'], required: true, maxLength: 2000 } },
    success: ['The comment is added', 'Комментарий добавлен'],
  },
  'open-case': {
    label: ['Open case file', 'Открыть досье'], icon: 'save', roles: fieldRoles, permit: 'served', refresh: ['case-file'],
    opens: 'case-file',
    success: ['All that came around the warning is kept', 'Всё, что пришло вокруг предупреждения, сохраняется'],
  },
} as const satisfies Record<string, Action>
