type Group = 'staff' | 'fleetStaff'

/** One row per role, in display order: the groups that definitions and the server grant rights to. */
const groupsByRole = {
  admin: ['staff', 'fleetStaff'],
  moderator: ['staff', 'fleetStaff'],
  service_engineer: ['fleetStaff'],
  installer: [],
  client: [],
} as const satisfies Record<string, readonly Group[]>

export type Role = keyof typeof groupsByRole
export const roles = Object.keys(groupsByRole) as readonly Role[]

const inGroup = (group: Group): readonly Role[] =>
  roles.filter((role) => groupsByRole[role].some((one: Group) => one === group))

/** Roles that manage people and the fleet. */
export const staff = inGroup('staff')
/** Roles that work on the fleet: the staff, and those who serve systems. */
export const fleetStaff = inGroup('fleetStaff')

/** First page of a role after sign-in; default: the dashboard. */
export const startPages: Readonly<Partial<Record<Role, string>>> = { service_engineer: '/inbox' }

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)
export const isStaff = (role: unknown): boolean => staff.some((one) => one === role)
export const isFleetStaff = (role: unknown): boolean => fleetStaff.some((one) => one === role)
