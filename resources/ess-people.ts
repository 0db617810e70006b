import type { Action } from '#schema/resource.ts'

const staff = ['admin', 'moderator'] as const

/** Who may look at an ESS, and who looks after it. */
export const essPeople = {
  'invite-guest': {
    label: ['Invite guest', 'Пригласить гостя'], icon: 'plus', call: ['POST', 'ess/{id}/invite-guest'], roles: staff,
      refresh: ['guest'],
    form: { userId: { type: 'reference', label: ['Client', 'Клиент'], to: 'client', options: 'ess/{id}/clients-to-invite' },
      email: { type: 'email', label: ['or e-mail', 'или эл. почта'],
        help: ['For somebody who has no account yet', 'Для того, у кого ещё нет учётной записи'] },
      expiresAt: { type: 'dateTime', label: ['Access ends', 'Доступ до'] } },
    success: ['The guest is invited', 'Гость приглашён'],
  },
  'remove-guest': {
    label: ['Remove guest', 'Удалить гостя'], icon: 'trash', on: 'row', call: ['DELETE', 'ess/{id}/remove-guest'], roles: staff,
      refresh: ['guest'],
    body: { userId: '$row.userId' }, success: ['The guest is removed', 'Гость удалён'],
    confirm: { danger: true, body: ['The guest no longer sees this ESS.', 'Гость больше не увидит эту СНЭ.'] },
  },
  'invite-service-engineer': {
    label: ['Invite engineer', 'Пригласить инженера'], icon: 'plus', call: ['POST', 'ess/{id}/invite-service-engineer'],
      roles: staff, refresh: ['service-engineer'],
    form: { userId: { type: 'reference', label: ['Engineer', 'Инженер'], to: 'user',
      options: 'ess/{id}/service-engineer-to-invite' },
      email: { type: 'email', label: ['or e-mail', 'или эл. почта'],
        help: ['For somebody who has no account yet', 'Для того, у кого ещё нет учётной записи'] },
      scope: { type: 'enum', label: ['Scope', 'Права'], required: true, default: 'FULL',
        options: { FULL: ['Full', 'Полные'], READ: ['Read only', 'Только чтение'] } } },
    success: ['The engineer is invited', 'Инженер приглашён'],
  },
  'remove-service-engineer': {
    label: ['Remove engineer', 'Удалить инженера'], icon: 'trash', on: 'row',
      call: ['DELETE', 'ess/{id}/remove-service-engineer'], roles: staff,
    refresh: ['service-engineer'], body: { userId: '$row.userId' }, success: ['The engineer is removed', 'Инженер удалён'],
    confirm: { danger: true, body: ['The engineer no longer serves this ESS.', 'Инженер больше не обслуживает эту СНЭ.'] },
  },
} as const satisfies Record<string, Action>
