/** The five roles of the specification, in the order in which tables show them. */
export const roles = ['admin', 'moderator', 'service_engineer', 'installer', 'client'] as const
export type Role = (typeof roles)[number]

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)

/** Groups of roles that definitions and the server grant rights to. */
export const staff = ['admin', 'moderator'] as const satisfies readonly Role[]
export const fleetStaff = [...staff, 'service_engineer'] as const satisfies readonly Role[]
