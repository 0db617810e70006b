import type { Field, State } from '#schema/field-types.ts'

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

/** Whether a user is the viewer's to change: admins and moderators are an admin's, and nobody locks or deletes himself. */
export const governed = {
  type: 'boolean', label: ['Yours to change', 'Вам можно менять'], derived: true, readOnly: true,
  help: ['Admins and moderators are changed by an admin, your own data under Profile.',
    'Администраторов и модераторов меняет администратор, собственные данные – в профиле.'],
  access: { read: ['admin', 'moderator'] },
} as const satisfies Field
