type Group = 'staff' | 'fleetStaff' | 'notified'

/** One row per role, in display order: the groups that definitions and the server grant rights to. */
const groupsByRole = {
  admin: ['staff', 'fleetStaff', 'notified'],
  moderator: ['staff', 'fleetStaff', 'notified'],
  service_engineer: ['fleetStaff', 'notified'],
  installer: [],
  client: ['notified'],
} as const satisfies Record<string, readonly Group[]>

export type Role = keyof typeof groupsByRole
export const roles = Object.keys(groupsByRole) as readonly Role[]

const inGroup = (group: Group): readonly Role[] =>
  roles.filter((role) => groupsByRole[role].some((one: Group) => one === group))

/** Roles that manage people and the fleet. */
export const staff = inGroup('staff')
/** Roles that work on the fleet: the staff, and those who serve systems. */
export const fleetStaff = inGroup('fleetStaff')

/** Roles that notifications of some kind come to; nothing about them is offered to others. */
export const notified = inGroup('notified')

/** First page of a role after sign-in; default: the dashboard. */
export const startPages: Readonly<Partial<Record<Role, string>>> = { service_engineer: '/inbox' }

const isIn =
  (group: readonly Role[]) =>
  (role: unknown): boolean =>
    group.some((one) => one === role)

export const isRole = isIn(roles) as (value: unknown) => value is Role
export const isStaff = isIn(staff)
export const isFleetStaff = isIn(fleetStaff)
export const isNotified = isIn(notified)
