type Group = 'staff' | 'fleetStaff'

/** A row per role, in the order in which tables show them: the groups that definitions and the server grant rights to. */
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

export const staff = inGroup('staff')
export const fleetStaff = inGroup('fleetStaff')

/** Page of the console that a role begins with after signing in; the others begin with the dashboard. */
export const startPages: Readonly<Partial<Record<Role, string>>> = { service_engineer: '/inbox' }

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)
export const isFleetStaff = (role: unknown): boolean => fleetStaff.some((one) => one === role)
