import type { RollUp } from '#resources/fleet/channel-row.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { type Bucket, bucketMs } from './bucket-rule.ts'
import type { SeriesRow } from './read-series.ts'
import { shownValue } from './sample-columns.ts'

type Value = number | string | null

/** `kind` defines `avg`: a mean with extremes, counter growth, the last state, or the union of flags. */
type Series = {
  unit: string | null
  kind: Exclude<RollUp, 'none'>
  t: number[]
  avg: Value[]
  min: (number | null)[]
  max: (number | null)[]
}

// Answers have thousands of numbers: rounding by text would take ten times as long.
const rounded = (value: number | null | undefined, digits: number) =>
  typeof value === 'number' ? Math.round(value * 10 ** digits) / 10 ** digits : null

type Reading = (row: SeriesRow, channel: NamedChannel) => { avg: Value; min: number | null; max: number | null }

const readings: Record<Series['kind'], Reading> = {
  mean: (row, { name, digits = 0 }) => ({
    avg: rounded(row[`${name}Avg`], digits + 1),
    min: rounded(row[`${name}Min`], digits),
    max: rounded(row[`${name}Max`], digits),
  }),
  counter: (row, { name, digits = 0 }) => ({ avg: rounded(row[`${name}Sum`], digits), min: null, max: null }),
  state: (row, channel) => ({ avg: shownValue(channel, row[`${channel.name}Last`] ?? null), min: null, max: null }),
  flags: (row, { name }) => ({ avg: row[`${name}Any`] ?? null, min: null, max: null }),
}

/** Counter growth belongs to the later sample only, and a silence to the minutes in which it was. */
const held = (row: SeriesRow): SeriesRow => ({
  ...row,
  gapSeconds: null,
  ...Object.fromEntries(Object.keys(row).flatMap((key) => (key.endsWith('Sum') ? [[key, 0]] : []))),
})

/**
 * Boards measure slightly early or late, so that a minute may have two samples and the next none. Such a minute is no gap: the
 * previous value is kept.
 */
export function bridgeJitter(rows: readonly SeriesRow[], reportIntervalMs: number): SeriesRow[] {
  const longest = 1.5 * reportIntervalMs
  return rows.map((row, index) => {
    const [before, after] = [rows[index - 1], rows[index + 1]]
    if (row.first !== null || typeof before?.last !== 'number' || typeof after?.first !== 'number') return row
    return after.first - before.last <= longest ? { ...held(before), t: row.t, first: null, last: null } : row
  })
}

const kindOf = ({ rollUp }: NamedChannel): Series['kind'] => (rollUp === 'none' ? 'state' : rollUp)

function seriesOf(channel: NamedChannel, rows: readonly SeriesRow[]): Series {
  const kind = kindOf(channel)
  const values = rows.map((row) => readings[kind](row, channel))
  return {
    unit: channel.unit ?? null,
    kind,
    t: rows.map(({ t }) => t),
    avg: values.map(({ avg }) => avg),
    min: values.map(({ min }) => min),
    max: values.map(({ max }) => max),
  }
}

/**
 * Share of a bucket's time in percent that was silent, and over which counters are shared, whichever are asked for; null without any
 * data. The sample before a silence stands for a while of it.
 */
export function estimatedPct(
  { seconds, gapSeconds }: Pick<SeriesRow, 'seconds' | 'gapSeconds'>,
  bucket: Bucket,
): number | null {
  const gap = gapSeconds ?? 0
  const whole = Math.max(gap, Math.min(bucketMs(bucket) / 1000, (seconds ?? 0) + gap))
  return whole > 0 ? Math.round((100 * gap) / whole) : null
}

export type SeriesAnswer = {
  from: number
  to: number
  bucketMs: number
  zone: string
  /** How much of each bucket's growth of counters is estimated. */
  estimatedPct: (number | null)[]
  series: Record<string, Series>
}

/** Answer of `GET /telemetry`, starting with the first bucket. */
export const seriesAnswer = (
  rows: readonly SeriesRow[],
  facts: { to: Date; bucket: Bucket; zone: string; channels: readonly NamedChannel[] },
): SeriesAnswer => ({
  from: rows[0]?.t ?? facts.to.getTime(),
  to: facts.to.getTime(),
  bucketMs: bucketMs(facts.bucket),
  zone: facts.zone,
  estimatedPct: rows.map((row) => estimatedPct(row, facts.bucket)),
  series: Object.fromEntries(facts.channels.map((channel) => [channel.name, seriesOf(channel, rows)])),
})
