import { defineResource } from '#schema/resource.ts'
import { fleetStaff } from '#schema/roles.ts'
import { auditDetails } from './fleet/audit-details.ts'
import { roleOptions } from './shared/choices.ts'

/** Append-only record of actions: the actor, the target and the changed values. */
export const auditLog = defineResource({
  name: 'audit-log',
  label: { one: ['Audit entry', 'Запись журнала'], many: ['Audit log', 'Журнал действий'] },
  icon: 'history',
  menu: { group: 'system', filters: { action_ne: ['list', 'read'] } },
  title: 'id',
  journal: { kind: 'entityType', id: 'entityId', title: 'code', action: 'action', reason: 'reason', before: 'before',
    after: 'after', columns: ['at', 'actorId', 'action', 'result', 'reason'], details: auditDetails,
    filters: ['filters', 'query'] },

  fields: {
    at:         { type: 'dateTime',  label: ['Time', 'Время'], readOnly: true },
    actorId:    { type: 'reference', label: ['Who', 'Кто'], to: 'user', readOnly: true },
    role:       { type: 'enum',      label: ['Role', 'Роль'], readOnly: true, options: roleOptions },
    action:     { type: 'text',      label: ['Action', 'Действие'], readOnly: true },
    entityType: { type: 'text',      label: ['Kind', 'Вид записи'], readOnly: true },
    entityId:   { type: 'text',      label: ['Record id', 'Идентификатор записи'], readOnly: true },
    code:       { type: 'text',      label: ['Record', 'Запись'], readOnly: true, search: true },
    result:     { type: 'status',    label: ['Result', 'Результат'], readOnly: true, states: {
      OK:     { tone: 'good', label: ['Done', 'Выполнено'] },
      DENIED: { tone: 'warn', label: ['Refused', 'Отказано'] },
      FAILED: { tone: 'bad',  label: ['Failed', 'Ошибка'] },
    } },
    reason:     { type: 'text',      label: ['Reason', 'Причина'], readOnly: true },
    before:     { type: 'json',      label: ['Before', 'До'], readOnly: true },
    after:      { type: 'json',      label: ['After', 'После'], readOnly: true },
    requestId:  { type: 'text',      label: ['Request', 'Запрос'], readOnly: true },
    ip:         { type: 'text',      label: ['Address', 'Адрес'], readOnly: true, access: { read: ['admin'] } },
  },

  list: {
    columns: ['at', 'actorId', 'action', 'entityType', 'code', 'result', 'reason'],
    filters: ['entityType', 'action', 'actorId', 'result', 'role', 'at'],
    card: [['action', 'entityType'], ['at', 'actorId', 'code']],
    sort: { field: 'at', order: 'desc' },
    tone: { bad: { field: 'result', op: 'eq', value: 'FAILED' }, warn: { field: 'result', op: 'eq', value: 'DENIED' } },
    views: { deeds: { label: ['Without reading', 'Без чтения'], filters: { action_ne: ['list', 'read'] } } },
    empty: { title: ['No entries yet', 'Записей пока нет'],
      text: ['Every change and every refused call leaves an entry.',
        'Запись оставляют каждое изменение и каждый отклонённый запрос.'] },
  },
  sections: {
    details: ['at', 'actorId', 'role', 'result', 'entityId', 'ip', 'requestId'],
  },
  tabs: {
    index: { label: ['Entry', 'Запись'], widget: 'journal-entry', sections: ['details'] },
  },
  access: { list: fleetStaff },
  scope: { moderator: { field: 'role', op: 'in', value: ['moderator', 'service_engineer', 'installer', 'client'] },
    service_engineer: { field: 'actorId', op: 'eq', value: '$user.id' } },
})
