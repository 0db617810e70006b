import type { Consequence, Deletion } from '#schema/facts/action-facts.ts'
import type { Field, State } from '#schema/field-types.ts'
import type { Action } from '#schema/resource.ts'
import { staff } from '#schema/roles.ts'
import type { Rule } from '#schema/rule.ts'

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

/** Days within which a deleted account may be restored; the texts below say it, too. */
export const restoreDays = 30

const isClient = { field: 'role', op: 'eq', value: 'client' } as const satisfies Rule
/** An account that was completed: the server mails to no other. */
const isComplete = { any: [{ field: 'status', op: 'eq', value: 'ACTIVE' },
  { field: 'lastLoginAt', op: 'null', value: false }] } as const satisfies Rule

const mailedClient = ['A mail tells them, with a link that restores the account within 30 days.',
  'Ему придёт письмо со ссылкой, по которой учётную запись можно восстановить в течение 30 дней.'] as const
/** A lock hides whether the account was ever completed; a sign-in tells. */
const isUnknown = { all: [{ field: 'status', op: 'eq', value: 'LOCKED' },
  { field: 'lastLoginAt', op: 'null', value: true }] } as const satisfies Rule
const maybeMailed = { when: isUnknown, text: ['If the account was ever completed, a mail tells them.',
  'Если регистрация была завершена, ему придёт письмо об этом.'] } as const satisfies Consequence
const common = [
  maybeMailed,
  { when: { field: 'invitationId', op: 'null', value: false },
    text: ['The open invitation is revoked.', 'Открытое приглашение будет отозвано.'] },
  { when: { field: 'essCount', op: 'gt', value: 0 },
    text: ['They own {essCount} ESS, which will have no owner when the account is erased. Choose another owner before that.',
      'Владеет СНЭ: {essCount}. После стирания записи у этих СНЭ не будет владельца, назначьте нового до этого.'] },
  { text: ['For 30 days an admin may restore the account under Users. Then it is erased for good.',
    'В течение 30 дней администратор может вернуть учётную запись в разделе «Пользователи». Потом она стирается навсегда.'] },
] as const satisfies readonly Consequence[]
const signedOut = ['The person is signed out everywhere and can no longer sign in.',
  'Пользователь выйдет на всех устройствах и больше не сможет войти.'] as const

/** Consequences of deleting a user of any role. */
export const userDeletion = { body: signedOut, also: [
  { when: { all: [isClient, isComplete] }, text: mailedClient },
  { when: { all: [{ not: isClient }, isComplete] }, text: ['A mail tells them.', 'Ему придёт письмо об этом.'] },
  ...common,
] } as const satisfies Deletion

/** The same of a client. */
export const clientDeletion = {
  body: signedOut, also: [{ when: isComplete, text: mailedClient }, ...common],
} as const satisfies Deletion
