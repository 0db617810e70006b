import { defineResource } from '#schema/resource.ts'
import { staff } from '#schema/roles.ts'
import { roleOptions } from './shared/choices.ts'
import { invitationStates, resend } from './shared/people.ts'

/** A mailed link that completes an account or grants access to an ESS. */
export const invitation = defineResource({
  name: 'invitation',
  menu: { group: 'people', count: { filters: { state: ['PENDING'] }, tone: 'info', label: ['pending', 'ожидают'] } },
  label: { one: ['Invitation', 'Приглашение'], many: ['Invitations', 'Приглашения'] },
  icon: 'mail',
  live: true,
  title: 'email',
  scope: { moderator: { any: [{ field: 'personRole', op: 'nin', value: ['admin', 'moderator'] },
    { field: 'userId', op: 'eq', value: '$user.id' }] } },

  fields: {
    kind:        { type: 'enum',      label: ['Kind', 'Вид'], readOnly: true, options: {
      ACCOUNT:          ['Account', 'Учётная запись'],
      GUEST:            ['Guest', 'Гость'],
      SERVICE_ENGINEER: ['Service engineer', 'Сервисный инженер'],
      EMAIL_CHANGE:     ['E-mail change', 'Смена почты'],
    } },
    email:       { type: 'email',     label: ['E-mail', 'Эл. почта'], readOnly: true, search: true },
    userId:      { type: 'reference', label: ['User', 'Пользователь'], to: 'user', readOnly: true },
    essId:       { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    role:        { type: 'enum',      label: ['Role', 'Роль'], readOnly: true, options: roleOptions },
    personRole:  { type: 'enum',      label: ['Role now', 'Роль сейчас'], derived: true, readOnly: true, options: roleOptions,
      access: { read: staff } },
    state:       { type: 'status',    label: ['State', 'Состояние'], readOnly: true, states: invitationStates },
    delivery:    { type: 'enum',      label: ['Delivery', 'Доставка'], readOnly: true, options: {
      QUEUED: ['Queued', 'В очереди'],
      SENT:   ['Sent', 'Отправлено'],
      FAILED: ['Failed', 'Не доставлено'],
    } },
    sentAt:      { type: 'dateTime',  label: ['Sent', 'Отправлено'], readOnly: true },
    sentCount:   { type: 'integer',   label: ['Times sent', 'Отправок'], readOnly: true },
    expiresAt:   { type: 'dateTime',  label: ['Valid until', 'Действует до'], readOnly: true },
    completedAt: { type: 'dateTime',  label: ['Completed', 'Завершено'], readOnly: true },
    invitedBy:   { type: 'reference', label: ['Invited by', 'Кем приглашён'], to: 'user', readOnly: true },
  },

  list: {
    columns: ['email', 'kind', 'role', 'state', 'delivery', 'sentAt', 'expiresAt', 'invitedBy'],
    filters: ['state', 'kind'],
    sort: { field: 'createdAt', order: 'desc' },
    views: { open: { label: ['Open', 'Открытые'], filters: { state: 'PENDING' } } },
    empty: { title: ['No invitations yet', 'Приглашений пока нет'],
      text: ['New users, guests and engineers get one by mail: a link that completes the account or gives access to an ESS.',
        'Их получают по почте новые пользователи, гости и инженеры: ссылка завершает регистрацию или открывает СНЭ.'] },
  },
  actions: {
    resend: { ...resend, when: { field: 'state', op: 'in', value: ['PENDING', 'EXPIRED'] } },
  },
  figures: {
    open:    { place: 'tidy', label: ['Open invitations', 'Открытые приглашения'], tone: 'info',
      filters: { state: 'PENDING' } },
    expired: { place: 'tidy', label: ['Expired invitations', 'Просроченные приглашения'], tone: 'warn',
      filters: { state: 'EXPIRED' } },
  },
  access: { list: staff, delete: staff },
})
