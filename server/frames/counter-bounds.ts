import type { CounterFeed } from '#resources/fleet/channel-row.ts'
import { hourMs } from '#schema/format/durations.ts'
import { anySite, largestW, type SiteFacts } from './site-facts.ts'

/** Rate of growth: the sum of these nameplate values an hour, or `else` where one of them is not known. `step`: of the coarsest meter. */
type Feed = { by: readonly Exclude<keyof SiteFacts, 'chemistry'>[]; else: number; step: number }

const watts = (...by: Feed['by']): Feed => ({ by, else: largestW, step: 1_000 })

export const feeds: Readonly<Record<CounterFeed, Feed>> = {
  charge: watts('ratedChargePowerW'),
  discharge: watts('ratedDischargePowerW'),
  solar: watts('pvPeakPowerW'),
  grid: watts('gridConnectionLimitW'),
  load: watts('ratedDischargePowerW', 'pvPeakPowerW', 'gridConnectionLimitW'),
  cycles: { by: [], else: 12, step: 1 },
}

/** Nameplates are exceeded for a while, and clocks are not exact. */
export const growthMargin = 1.5

/** The most that a counter can have grown by in this time. */
export function mostGrowth(feed: CounterFeed, site: SiteFacts | undefined, elapsedMs: number): number {
  const { by, else: unknown, step } = feeds[feed]
  const values = by.map((name) => (site ?? anySite)[name])
  const rate = values.length === 0 ? unknown : values.reduce<number>((sum, value) => sum + (value ?? unknown), 0)
  return step + (growthMargin * rate * elapsedMs) / hourMs
}
