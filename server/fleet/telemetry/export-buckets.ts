import { localFromIso } from '#schema/format/zone-time.ts'
import type { Database } from '#server/db/connect.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { countersOf } from './counter-growth.ts'
import { readSeries, type SeriesRequest } from './read-series.ts'
import { seriesAnswer } from './series-answer.ts'
import { endsFor, sharesFor } from './shares/energy-shares.ts'

/** Buckets per read. */
const atOnce = 2_000

const headOf = (channels: readonly NamedChannel[], times: readonly string[]) => [
  ...times,
  ...channels.flatMap(({ name, unit, rollUp }) => {
    const label = unit ? `${name} (${unit})` : name
    return rollUp === 'mean' ? [`${label} mean`, `${label} min`, `${label} max`] : [label]
  }),
]

/** Ranges, one per read; days of all years fit into one. */
function* partsOf({ from, to, bucket }: SeriesRequest): Generator<{ from: Date; to: Date }> {
  if ('days' in bucket) return yield { from, to }
  for (let at = from.getTime(); at < to.getTime(); at += atOnce * bucket.stepMs)
    yield { from: new Date(at), to: new Date(Math.min(to.getTime(), at + atOnce * bucket.stepMs)) }
}

/** Streams buckets as CSV, including empty ones, each with its local time; days and months have a local date. Hours are those of UTC. */
export async function* exportBuckets(database: Database, asked: SeriesRequest): AsyncGenerator<string> {
  const { channels, bucket, zone } = asked
  const date =
    'days' in bucket ? { head: `date (${zone})`, digits: bucket.isMonth ? 7 : 10 } : { head: `time (${zone})`, digits: 16 }
  const shares = sharesFor(bucket, channels)
  // Growth of counters over a silence is shared by time: a line says how much of it was.
  const marks = countersOf(channels).length > 0 ? ['estimated (%)'] : []
  const heads = [...headOf(channels, ['time (UTC)', date.head]), ...marks, ...shares.map(({ head }) => head)]
  yield `${heads.join(',')}\r\n`
  for (const range of partsOf(asked)) {
    const rows = await readSeries(database.kysely, { ...asked, ...range })
    const ends = await endsFor(database.kysely, { ...asked, ...range }, shares)
    const { series, estimatedPct } = seriesAnswer(rows, { ...range, bucket, zone, channels })
    const lines = rows.map((row, index) => {
      const values = channels.flatMap(({ name, rollUp }) => {
        const one = series[name]
        return rollUp === 'mean' ? [one?.avg[index], one?.min[index], one?.max[index]] : [one?.avg[index]]
      })
      const at = new Date(row.t).toISOString()
      const times = [at, localFromIso(at, zone).slice(0, date.digits).replace('T', ' ')]
      const cells = [...values, ...marks.map(() => estimatedPct[index]), ...shares.map(({ of }) => of(row, ends.get(row.t)))]
      return [...times, ...cells.map((value) => value ?? '')].join(',')
    })
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
  }
}
