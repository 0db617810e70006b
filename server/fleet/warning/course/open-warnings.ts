import type { Ending, OpenWarning, Peak } from '#server/fleet/warning/evaluate.ts'

/** An open warning of a board at a system where it stands or stood. */
export type SiteWarning = OpenWarning & { essId: string | null }

/** Those that the board judges where it stands; others that stay until a person ends them wait at the former system. */
export const isAtSite = ({ latched, essId }: SiteWarning, site: string | null): boolean => !latched || essId === site

const isSame = (one: OpenWarning, { code, subject }: Pick<OpenWarning, 'code' | 'subject'>) =>
  one.code === code && one.subject === subject

/** Open warnings after one was raised, at its place or replacing one of the system without a place. */
export function withRaised<T extends OpenWarning & Partial<SiteWarning>>(open: readonly T[], raised: T): T[] {
  const isUnplaced = (one: T) => one.essId === raised.essId && isSame(one, { ...raised, subject: null })
  const replaced = open.find((one) => isSame(one, raised)) ?? open.find(isUnplaced)
  return [...open.filter((one) => one !== replaced), raised]
}

export const isEndOf = ({ code, subject }: Ending, one: OpenWarning): boolean =>
  !one.latched && isSame(one, { code, subject: subject === undefined ? one.subject : subject })

/** Open warnings after some have ended. */
export const withoutEnded = <T extends OpenWarning>(open: readonly T[], ended: readonly Ending[]): T[] =>
  open.filter((one) => !ended.some((ending) => isEndOf(ending, one)))

/** Open warnings with their worse values. */
export const withPeaks = <T extends OpenWarning>(open: readonly T[], peaks: readonly Peak[]): readonly T[] =>
  open.map((one) => ({ ...one, value: peaks.find(({ of }) => of === one)?.value ?? one.value ?? null }))
