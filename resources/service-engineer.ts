import { defineResource } from '#schema/resource.ts'
import { openInvitation, relationStates, resendOpen } from './shared/people.ts'

/** A service engineer assigned to an ESS. */
export const serviceEngineer = defineResource({
  name: 'service-engineer',
  menu: false,
  label: { one: ['Service engineer', 'Сервисный инженер'], many: ['Service engineers', 'Сервисные инженеры'] },
  icon: 'user',
  live: true,
  title: 'id',

  fields: {
    userId:       { type: 'reference', label: ['Engineer', 'Инженер'], to: 'user', readOnly: true },
    essId:        { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    scope:        { type: 'enum',      label: ['Scope', 'Права'], readOnly: true,
      options: { FULL: ['Full', 'Полные'], READ: ['Read only', 'Только чтение'] } },
    state:        { type: 'status',    label: ['State', 'Состояние'], readOnly: true, states: relationStates },
    assignedBy:   { type: 'reference', label: ['Assigned by', 'Кем назначен'], to: 'user', readOnly: true },
    expiresAt:    { type: 'dateTime',  label: ['Until', 'До'], readOnly: true },
    note:         { type: 'text',      label: ['Note', 'Примечание'], readOnly: true },
    invitationId: openInvitation,
  },

  list: {
    columns: ['userId', 'scope', 'state', 'assignedBy', 'createdAt', 'expiresAt'],
    filters: ['state', 'scope'],
    sort: { field: 'createdAt', order: 'desc' },
    empty: { title: ['No engineers', 'Инженеров нет'],
      text: ['A service engineer looks after this ESS and is notified of its warnings.',
        'Сервисный инженер отвечает за эту СНЭ и получает её предупреждения.'] },
  },
  actions: {
    resend: resendOpen,
  },
  access: { list: [], show: [] },
  api: { list: false, show: false, create: false, update: false, delete: false },
})
