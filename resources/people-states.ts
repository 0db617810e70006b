import type { State } from '#schema/field-types.ts'

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
