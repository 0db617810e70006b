import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { qualities, shownValue } from './sample-columns.ts'
import type { Segment } from './windows.ts'

/** Rows per read: few enough for other statements to run in between, with constant memory. */
const atOnce = 2_000

type Row = { ts: string; local: string; quality: number } & Record<string, number | string | null>
export type Exported = {
  segments: readonly Segment[]
  channels: readonly NamedChannel[]
  zone: string
  /** Rows of a segment in the shape of "telemetry", for segments that are not entirely in that table. */
  rowsOf?: (segment: Segment) => RawBuilder<unknown>
}

const headOf = ({ channels, zone }: Exported) => [
  'time (UTC)',
  `time (${zone})`,
  'quality',
  ...channels.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)),
]

function readRows(database: Database, { channels, zone, rowsOf: own }: Exported, segment: Segment, after: string | undefined) {
  const { controlPcbId, from, to } = segment
  const source = own?.(segment) ?? sql`"telemetry"`
  const columns = sql.raw(channels.map(({ name }) => `, "${name}"`).join(''))
  const start = after === undefined ? sql`"ts" >= ${from}` : sql`"ts" > ${after}`
  return rowsOf(
    database.kysely,
    sql<Row>`select "ts", to_char("ts" at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS') as "local", "quality"${columns} from ${source} as "t"
      where "controlPcbId" = ${controlPcbId} and ${start} and "ts" < ${to} order by "ts" limit ${atOnce}`,
  )
}

function lineOf(row: Row, channels: readonly NamedChannel[]): string {
  const values = channels.map((channel) => {
    const stored = row[channel.name]
    return typeof stored === 'number' ? shownValue(channel, stored) : ''
  })
  return [row.ts, row.local, qualities[row.quality] ?? '', ...values].join(',')
}

/** Streams every sample as CSV in order of time. No value needs quoting. */
export async function* exportSamples(database: Database, asked: Exported): AsyncGenerator<string> {
  yield `${headOf(asked).join(',')}\r\n`
  for (const segment of asked.segments) {
    for (let after: string | undefined; ; ) {
      const rows = await readRows(database, asked, segment, after)
      const last = rows.at(-1)
      if (!last) break
      yield `${rows.map((row) => lineOf(row, asked.channels)).join('\r\n')}\r\n`
      if (rows.length < atOnce) break
      after = last.ts
    }
  }
}
