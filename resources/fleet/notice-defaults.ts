import { isStaff } from '#schema/roles.ts'

export const noticeLevels = { push: 'CRITICAL', email: 'OFF' } as const

/** Default notifications: critical warnings at once; for every site only for roles that govern all sites. */
export const noticeDefaults = (role: unknown) =>
  ({
    ...noticeLevels,
    delayMin: 0,
    sites: isStaff(role) ? 'ALL' : 'RELATED',
  }) as const
