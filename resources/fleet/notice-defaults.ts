/** Default notifications: critical warnings at once; for every site only for roles that govern all sites. */
export const noticeDefaults = (role: unknown) =>
  ({
    push: 'CRITICAL',
    email: 'OFF',
    delayMin: 0,
    sites: role === 'admin' || role === 'moderator' ? 'ALL' : 'RELATED',
  }) as const
