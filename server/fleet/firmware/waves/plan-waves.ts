/** A wave: so many boards more, or as many as make a share of all in percent. `maxFailures`: at how many it pauses. */
export type Wave = {
  boards: number | null
  sharePct: number | null
  soakMin: number
  successPct: number
  maxFailures: number | null
}

const usual = { soakMin: 60, successPct: 90, maxFailures: null }
/** One board, a tenth, all. */
export const usualWaves: readonly Wave[] = [
  { ...usual, boards: 1, sharePct: null },
  { ...usual, boards: null, sharePct: 10 },
  { ...usual, boards: null, sharePct: 100 },
]

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
export function planWaves(waves: readonly Wave[], boards: number): number[] {
  let taken = 0
  return waves.map(({ boards: more, sharePct }, index) => {
    const isLast = index === waves.length - 1
    const upTo = isLast ? boards : more === null ? Math.ceil((boards * (sharePct ?? 100)) / 100) : taken + more
    const size = Math.max(0, Math.min(boards, upTo) - taken)
    taken += size
    return size
  })
}

/** At how many failures a wave of a size pauses: the first at one, others at a tenth. */
export const failuresAllowed = (wave: Wave | undefined, index: number, size: number): number =>
  wave?.maxFailures ?? (index === 0 ? 1 : Math.max(1, Math.ceil(size / 10)))
