import { dayMs } from '#schema/format/durations.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import type { Bucket } from './bucket-rule.ts'
import type { SeriesRow } from './read-series.ts'

type Counter = 'charge' | 'discharge' | 'pv' | 'load' | 'gridImport' | 'gridExport'

/** A ratio of the growth of two counters. `rest`: one minus the ratio. */
type Share = { head: string; part: Counter; whole: Counter; kind: 'rest' | 'ratio'; leastMs?: number }

/** Below a week the change of stored energy outweighs the battery's losses. */
const shares: readonly Share[] = [
  { head: 'selfSufficiency (%)', part: 'gridImport', whole: 'load', kind: 'rest' },
  { head: 'selfConsumption (%)', part: 'gridExport', whole: 'pv', kind: 'rest' },
  { head: 'roundTripEfficiency (%)', part: 'discharge', whole: 'charge', kind: 'ratio', leastMs: 7 * dayMs },
]

const channelName = (counter: Counter) => `${counter}EnergyWh`
const growthIn = (row: SeriesRow, counter: Counter): number | null => row[`${channelName(counter)}Sum`] ?? null

/** Null without both counters. A battery that gave more than it took was discharged: that says nothing about its losses. */
function shareOf({ part, whole, kind, leastMs = 0 }: Share, row: SeriesRow): number | null {
  const [some, all] = [growthIn(row, part), growthIn(row, whole)]
  const spanMs = row.first === null || row.last === null ? 0 : row.last - row.first
  if (some === null || !all || spanMs < leastMs) return null
  const pct = (100 * some) / all
  if (kind === 'ratio') return pct > 100 ? null : Math.round(pct * 10) / 10
  return Math.round(Math.max(0, 100 - pct) * 10) / 10
}

/** Ratios available for these buckets: days and months, with the requested counters. */
export function sharesFor(bucket: Bucket, channels: readonly NamedChannel[]) {
  if (!('days' in bucket)) return []
  const names = new Set<string>(channels.map(({ name }) => name))
  const has = ({ part, whole }: Share) => names.has(channelName(part)) && names.has(channelName(whole))
  return shares
    .filter((share) => has(share) && (!share.leastMs || bucket.days * dayMs >= share.leastMs))
    .map((share) => ({ head: share.head, of: (row: SeriesRow) => shareOf(share, row) }))
}
