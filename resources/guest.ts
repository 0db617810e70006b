import { defineResource } from '#schema/resource.ts'
import { openInvitation, relationStates, resendOpen } from './shared/people.ts'

/** A client with read access to another client's ESS. */
export const guest = defineResource({
  name: 'guest',
  menu: false,
  label: { one: ['Guest', 'Гость'], many: ['Guests', 'Гости'] },
  icon: 'user',
  live: true,
  title: 'id',

  fields: {
    userId:       { type: 'reference', label: ['Guest', 'Гость'], to: 'user', readOnly: true },
    essId:        { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    access:       { type: 'enum',      label: ['Access', 'Доступ'], readOnly: true, default: 'VIEW',
      options: { VIEW: ['View||right', 'Просмотр'] } },
    state:        { type: 'status',    label: ['State', 'Состояние'], readOnly: true, states: relationStates },
    invitedBy:    { type: 'reference', label: ['Invited by', 'Кем приглашён'], to: 'user', readOnly: true },
    expiresAt:    { type: 'dateTime',  label: ['Access ends', 'Доступ до'], readOnly: true },
    invitationId: openInvitation,
  },

  list: {
    columns: ['userId', 'state', 'access', 'invitedBy', 'createdAt', 'expiresAt'],
    filters: ['state'],
    sort: { field: 'createdAt', order: 'desc' },
    empty: { title: ['No guests', 'Гостей нет'],
      text: ['A guest sees this ESS without owning it.', 'Гость видит эту СНЭ, но не владеет ею.'] },
  },
  actions: {
    resend: resendOpen,
  },
  access: { list: [], show: [] },
  api: { list: false, show: false, create: false, update: false, delete: false },
})
