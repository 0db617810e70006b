import { fleetStaff, type Role, roles, staff } from '#schema/roles.ts'

/** Kinds of notifications, and the roles that they come to. */
export const noticeKinds = {
  warning: [...fleetStaff, 'client'],
  escalation: fleetStaff,
  updateOutcome: fleetStaff,
  rolloutPaused: staff,
  webhookPaused: ['admin'],
} as const satisfies Record<string, readonly Role[]>

/** Roles that notifications of some kind come to; nothing about them is offered to others. */
export const noticeRoles = roles.filter((role) => Object.values(noticeKinds).flat().includes(role))

export const getsNotices = (role: Role): boolean => noticeRoles.includes(role)
