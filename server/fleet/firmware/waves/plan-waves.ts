import { rollout } from '#resources/rollout.ts'
import { dividedSizes } from '#schema/form/divide.ts'

/** A wave: a number of boards, or up to a share of all in percent. `maxFailures`: number of failures that pauses it. */
export type Wave = {
  boards: number | null
  sharePct: number | null
  soakMin: number
  successPct: number
  maxFailures: number | null
}

const usual = { soakMin: 60, successPct: 90, maxFailures: null }
const division = rollout.fields.waves.divides
export const usualWaves: readonly Wave[] = division.usual.map((wave) => ({ ...usual, boards: null, sharePct: null, ...wave }))

const numberOr = <T>(value: unknown, other: T): number | T => (typeof value === 'number' ? value : other)

/** The given waves, or the default ones. */
export function wavesOf(value: unknown): readonly Wave[] {
  if (!Array.isArray(value) || value.length === 0) return usualWaves
  return value.map((wave: Readonly<Record<string, unknown>>) => ({
    boards: numberOr(wave.boards, null),
    sharePct: numberOr(wave.sharePct, null),
    soakMin: numberOr(wave.soakMin, usual.soakMin),
    successPct: numberOr(wave.successPct, usual.successPct),
    maxFailures: numberOr(wave.maxFailures, null),
  }))
}

/** Size of each wave; the last takes the rest. */
export const planWaves = (waves: readonly Wave[], boards: number): number[] => dividedSizes(waves, division, boards)

/** Failures at which a wave pauses: the first at one, others at a tenth of their size. */
export const failuresAllowed = (wave: Wave | undefined, index: number, size: number): number =>
  wave?.maxFailures ?? (index === 0 ? 1 : Math.max(1, Math.ceil(size / 10)))
