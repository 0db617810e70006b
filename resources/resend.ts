import type { Action } from '#schema/resource.ts'

/** Sends a letter of invitation again: at the invitation itself, and at whoever has not answered one. */
export const resend = {
  label: ['Send again', 'Отправить снова'], icon: 'mail', call: ['PUT', 'user/invitation/{id}/resend'],
  roles: ['admin', 'moderator'], refresh: ['invitation'],
  success: ['The invitation is sent again', 'Приглашение отправлено снова'],
  confirm: { body: ['A new link is mailed, the old one stops working.',
    'Будет отправлена новая ссылка, старая перестанет действовать.'] },
} as const satisfies Action

/** At somebody who was invited: the letter that is still open. */
export const resendOpen = {
  ...resend, through: 'invitationId', when: { field: 'invitationId', op: 'null', value: false },
} as const satisfies Action

/** The newest letter that somebody has not answered yet. */
export const openInvitation = {
  type: 'reference', label: ['Open invitation', 'Открытое приглашение'], to: 'invitation', derived: true, readOnly: true,
  access: { read: ['admin', 'moderator'] },
} as const
