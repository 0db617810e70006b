import type { profiles } from '#resources/shared/choices.ts'

/**
 * Power in W that a site of a profile can take from its grid and its panels where its nameplate does not say: three phases of 63 A and
 * 1600 A. A larger battery or array needs a larger connection: the greatest of them counts.
 */
export const usualConnections = {
  HOME: { connectionW: 3 * 63 * 230 },
  COMMERCIAL: { connectionW: 3 * 1_600 * 230 },
} as const satisfies Record<keyof typeof profiles, { connectionW: number }>
