import type { CounterFeed } from '#resources/fleet/channel-row.ts'
import { hourMs } from '#schema/format/durations.ts'
import { anySite, largestW, type SiteFacts } from './site-facts.ts'

/**
 * Maximum growth rate: the sum of these nameplate values per hour, or `else` when one is unknown. `step`: resolution of the
 * coarsest meter.
 */
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

/** Tolerance: nameplate values are exceeded at times, and clocks are inexact. */
export const growthMargin = 1.5

/** Maximum growth of a counter in a time. */
export function mostGrowth(feed: CounterFeed, site: SiteFacts | undefined, elapsedMs: number): number {
  const { by, else: unknown, step } = feeds[feed]
  const values = by.map((name) => (site ?? anySite)[name])
  const rate = values.length === 0 ? unknown : values.reduce<number>((sum, value) => sum + (value ?? unknown), 0)
  return step + (growthMargin * rate * elapsedMs) / hourMs
}
