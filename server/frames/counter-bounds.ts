import type { CounterFeed } from '#resources/fleet/channel-row.ts'
import { usualConnections } from '#resources/fleet/usual-connections.ts'
import { hourMs } from '#schema/format/durations.ts'
import { anySite, largestW, type SiteFacts } from './site-facts.ts'

/** Nameplate values that bound growth. */
type Power = Exclude<keyof SiteFacts, 'chemistry' | 'profile'>

/**
 * Maximum growth rate: the sum of these nameplate values per hour, or `else` when one is unknown. `step`: resolution of the
 * coarsest meter.
 */
type Feed = { by: readonly Power[]; else: number; step: number }

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

/** Stated powers that a site's connection carries in any case. */
const carried = ['ratedChargePowerW', 'ratedDischargePowerW', 'pvPeakPowerW'] as const satisfies readonly Power[]
/** Values that many nameplates leave out; the site's usual connection stands for them. */
const optional: readonly Power[] = ['pvPeakPowerW', 'gridConnectionLimitW']

const connectionOf = (profile: string | null): number | undefined =>
  Object.entries(usualConnections).find(([name]) => name === profile)?.[1].connectionW

/** A stated value wins; what a site of no known profile can do is unknown. */
function powerOf(site: SiteFacts, name: Power): number | undefined {
  const stated = site[name]
  const usual = optional.includes(name) ? connectionOf(site.profile) : undefined
  return stated ?? (usual && Math.max(usual, ...carried.map((one) => site[one] ?? 0)))
}

/** The same in SQL for the site "e". */
function powerSql(name: Power): string {
  const stated = `"e"."${name}"`
  if (!optional.includes(name)) return stated
  const rows = Object.entries(usualConnections).map(([profile, { connectionW }]) => `when '${profile}' then ${connectionW}`)
  const unless = `"e"."profile" in (${Object.keys(usualConnections).map((profile) => `'${profile}'`)})`
  const usual = `greatest(case "e"."profile" ${rows.join(' ')} end, ${carried.map((one) => `"e"."${one}"`).join(', ')})`
  return `coalesce(${stated}, case when ${unless} then ${usual} end)`
}

/** Maximum growth of a counter in an hour for the site "e", in SQL. */
export function rateSql(feed: CounterFeed): string {
  const { by, else: unknown } = feeds[feed]
  return by.length === 0 ? String(unknown) : by.map((name) => `coalesce(${powerSql(name)}, ${unknown})`).join(' + ')
}

/** Maximum growth of a counter in a time. */
export function mostGrowth(feed: CounterFeed, site: SiteFacts | undefined, elapsedMs: number): number {
  const { by, else: unknown, step } = feeds[feed]
  const rate = by.length === 0 ? unknown : by.reduce((sum, name) => sum + (powerOf(site ?? anySite, name) ?? unknown), 0)
  return step + (growthMargin * rate * elapsedMs) / hourMs
}
