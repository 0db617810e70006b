import { fleetStaff, notified, type Role, staff } from '#schema/roles.ts'

/** Kinds of notifications, and the roles that they come to: all of them among the roles that are notified at all. */
export const noticeKinds = {
  warning: notified,
  escalation: fleetStaff,
  updateOutcome: fleetStaff,
  rolloutPaused: staff,
  webhookPaused: ['admin'],
} as const satisfies Record<string, readonly Role[]>
