import type { Field, State } from '#schema/field-types.ts'
import type { Action } from '#schema/resource.ts'
import { staff } from '#schema/roles.ts'

export const accountStates = {
  ACTIVE:  { tone: 'good', label: ['Active', 'Активен'] },
  INVITED: { tone: 'info', label: ['Invited', 'Приглашён'] },
  LOCKED:  { tone: 'bad',  label: ['Locked', 'Заблокирован'] },
  DELETED: { tone: 'idle', label: ['Deleted', 'Удалён'] },
} as const satisfies Record<string, State>

export const relationStates = {
  INVITED: { tone: 'info', label: ['Invited', 'Приглашён'] },
  ACTIVE:  { tone: 'good', label: ['Active', 'Действует'] },
  EXPIRED: { tone: 'idle', label: ['Expired', 'Истёк'] },
  REVOKED: { tone: 'idle', label: ['Revoked', 'Отозван'] },
} as const satisfies Record<string, State>

export const invitationStates = {
  PENDING:  { tone: 'info', label: ['Pending', 'Ожидает'] },
  ACCEPTED: { tone: 'good', label: ['Accepted', 'Принято'] },
  EXPIRED:  { tone: 'warn', label: ['Expired', 'Истекло'] },
  REVOKED:  { tone: 'idle', label: ['Revoked', 'Отозвано'] },
} as const satisfies Record<string, State>

/** True when the viewer may change this user. Only an admin changes admins and moderators; no one locks himself. */
export const governed = {
  type: 'boolean', label: ['Yours to change', 'Вам можно менять'], derived: true, readOnly: true,
  help: ['Admins and moderators are changed by an admin, your own data under Profile.',
    'Администраторов и модераторов меняет администратор, собственные данные – в профиле.'],
  access: { read: staff },
} as const satisfies Field

/** Sends the mail of an invitation again, from the invitation or from the invited person. */
export const resend = {
  label: ['Send again', 'Отправить снова'], icon: 'mail', call: ['PUT', 'user/invitation/{id}/resend'], roles: staff,
  refresh: ['invitation'],
  success: ['The invitation is sent again', 'Приглашение отправлено снова'],
  confirm: { body: ['A new link is mailed, the old one stops working.',
      'Будет отправлена новая ссылка, старая перестанет действовать.'] },
} as const satisfies Action

/** The same action on an invited person: it acts on the open invitation. */
export const resendOpen = {
  ...resend,
  through: 'invitationId',
  when: { field: 'invitationId', op: 'null', value: false },
} as const satisfies Action

/** The newest invitation that is not answered yet. */
export const openInvitation = {
  type: 'reference', label: ['Open invitation', 'Открытое приглашение'], to: 'invitation', derived: true, readOnly: true,
  access: { read: staff },
} as const
