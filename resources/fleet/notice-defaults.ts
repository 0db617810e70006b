import { isStaff } from '#schema/roles.ts'

/** Default notifications: critical warnings at once; for every site only for roles that govern all sites. */
export const noticeDefaults = (role: unknown) =>
  ({
    push: 'CRITICAL',
    email: 'OFF',
    delayMin: 0,
    sites: isStaff(role) ? 'ALL' : 'RELATED',
  }) as const
