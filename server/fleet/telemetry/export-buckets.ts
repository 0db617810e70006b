import type { Database } from '#server/db/connect.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import type { Bucket } from './bucket-rule.ts'
import { readSeries, type SeriesRequest } from './read-series.ts'
import { seriesAnswer } from './series-answer.ts'

/** Buckets of one read. */
const atOnce = 2_000

type Export = Omit<SeriesRequest, 'bucket'> & { stepMs: number }

const headOf = (channels: readonly NamedChannel[]) => [
  'time (UTC)',
  ...channels.flatMap(({ name, unit, rollUp }) => {
    const label = unit ? `${name} (${unit})` : name
    return rollUp === 'mean' ? [`${label} mean`, `${label} min`, `${label} max`] : [label]
  }),
]

/** Buckets of a fixed step as lines of CSV, those without a sample too, read piece by piece. */
export async function* exportBuckets(database: Database, { stepMs, ...asked }: Export): AsyncGenerator<string> {
  const { channels, from, to, zone } = asked
  const bucket: Bucket = { stepMs }
  yield `${headOf(channels).join(',')}\r\n`
  for (let at = from.getTime(); at < to.getTime(); at += atOnce * stepMs) {
    const part = { ...asked, from: new Date(at), to: new Date(Math.min(to.getTime(), at + atOnce * stepMs)) }
    const rows = await readSeries(database.kysely, { ...part, bucket })
    const { series } = seriesAnswer(rows, { ...part, bucket, zone, channels })
    const lines = rows.map(({ t }, index) => {
      const values = channels.flatMap(({ name, rollUp }) => {
        const one = series[name]
        return rollUp === 'mean' ? [one?.avg[index], one?.min[index], one?.max[index]] : [one?.avg[index]]
      })
      return [new Date(t).toISOString(), ...values.map((value) => value ?? '')].join(',')
    })
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
  }
}
