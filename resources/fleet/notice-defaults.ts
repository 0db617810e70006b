/** Which warnings somebody hears of who has chosen nothing: critical ones, at once; of every site only where all are his business. */
export const noticeDefaults = (role: unknown) =>
  ({
    push: 'CRITICAL',
    email: 'OFF',
    delayMin: 0,
    sites: role === 'admin' || role === 'moderator' ? 'ALL' : 'RELATED',
  }) as const
