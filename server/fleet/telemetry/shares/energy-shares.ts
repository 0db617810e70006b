import { dayMs, minuteMs } from '#schema/format/durations.ts'
import type { Queryable } from '#server/db/query.ts'
import type { Bucket } from '#server/fleet/telemetry/bucket-rule.ts'
import type { SeriesRequest, SeriesRow } from '#server/fleet/telemetry/read-series.ts'
import { estimatedPct } from '#server/fleet/telemetry/series-answer.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { type MeasuredEnds, measuredEnds } from './measured-ends.ts'

type Counter = 'charge' | 'discharge' | 'pv' | 'load' | 'gridImport' | 'gridExport'

/** A ratio of the growth of two counters. `rest`: one minus the ratio. `cycle`: what a battery gives back, at equal charge. */
type Share = { head: string; part: Counter; whole: Counter; kind: 'rest' | 'cycle'; leastMs?: number }

/** Below a week the change of stored energy outweighs the battery's losses. */
const shares: readonly Share[] = [
  { head: 'selfSufficiency (%)', part: 'gridImport', whole: 'load', kind: 'rest' },
  { head: 'selfConsumption (%)', part: 'gridExport', whole: 'pv', kind: 'rest' },
  { head: 'roundTripEfficiency (%)', part: 'discharge', whole: 'charge', kind: 'cycle', leastMs: 7 * dayMs },
]

const channelName = (counter: Counter) => `${counter}EnergyWh`
const growthIn = (row: SeriesRow, counter: Counter): number | null => row[`${channelName(counter)}Sum`] ?? null

/** Share of a span for which one counter may be known and the other not. */
const looseShare = 0.02

const isNear = (one: number | null | undefined, other: number | null | undefined, tolerance: number) =>
  typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= tolerance

/**
 * True when both counters tell of the same time: what one of them grew by over a silence is unknown where it was reset in it. Of rows so old
 * that only days are left nothing else is known.
 */
function coverTheSame({ part, whole }: Share, ends: MeasuredEnds | undefined, spanMs: number): boolean {
  if (!ends) return true
  const [some, all] = [ends.counters[channelName(part)], ends.counters[channelName(whole)]]
  const tolerance = Math.max(15 * minuteMs, looseShare * spanMs)
  return (['first', 'last', 'silentMs'] as const).every((known) => isNear(some?.[known], all?.[known], tolerance))
}

/**
 * Efficiency between equal charge: what is left in the battery beyond its beginning will come out with the losses of discharging, and
 * charging loses as much: discharged = efficiency × charged − √efficiency × gain.
 */
function cycleShare(outWh: number, inWh: number, { first, last }: { first: number; last: number }): number | null {
  const gainWh = last - first
  const oneWay = (gainWh + Math.sqrt(gainWh ** 2 + 4 * inWh * outWh)) / (2 * inWh)
  return oneWay > 0 && oneWay <= 1 ? 100 * oneWay ** 2 : null
}

/** A share that is estimated for the most part says nothing. */
const mostEstimatedPct = 50

const rounded = (pct: number | null) => (pct === null ? null : Math.round(pct * 10) / 10)

/** Null without both counters over the same time, and for a battery without the energy that it held at both ends. */
function shareOf(share: Share, row: SeriesRow, bucket: Bucket, ends: MeasuredEnds | undefined): number | null {
  const { part, whole, kind, leastMs = 0 } = share
  const [some, all] = [growthIn(row, part), growthIn(row, whole)]
  const spanMs = row.first === null || row.last === null ? 0 : row.last - row.first
  if ((estimatedPct(row, bucket) ?? 0) > mostEstimatedPct) return null
  if (some === null || !all || spanMs < leastMs || !coverTheSame(share, ends, spanMs)) return null
  if (kind === 'cycle') return ends?.storedWh ? rounded(cycleShare(some, all, ends.storedWh)) : null
  return rounded(Math.max(0, 100 - (100 * some) / all))
}

/** Ratios available for these buckets: days and months, with the requested counters. */
export function sharesFor(bucket: Bucket, channels: readonly NamedChannel[]) {
  if (!('days' in bucket)) return []
  const byName = new Map(channels.map((channel) => [channel.name as string, channel]))
  const countersOf = ({ part, whole }: Share) => [part, whole].flatMap((counter) => byName.get(channelName(counter)) ?? [])
  return shares
    .filter((share) => countersOf(share).length === 2 && (!share.leastMs || bucket.days * dayMs >= share.leastMs))
    .map((share) => ({
      head: share.head,
      counters: countersOf(share),
      of: (row: SeriesRow, ends: MeasuredEnds | undefined) => shareOf(share, row, bucket, ends),
    }))
}

/** Ends of the counters and of the battery for the shares, beside the rows; empty without shares. */
export const endsFor = (
  db: Queryable,
  request: SeriesRequest,
  shown: ReturnType<typeof sharesFor>,
): Promise<ReadonlyMap<number, MeasuredEnds>> | ReadonlyMap<number, MeasuredEnds> =>
  shown.length === 0 ? new Map() : measuredEnds(db, request, [...new Set(shown.flatMap(({ counters }) => counters))])
