import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { byteOrderMark, csvLine, plainText } from '#server/engine/export/csv.ts'
import type { FrameDecoder, Reason } from '#server/frames/frame-decoder.ts'
import { packagesOf, type Span } from './case-sql.ts'

type Packet = {
  id: string
  receivedAt: string
  deviceTime: string | null
  seq: number | null
  type: string | null
  status: string
  reasons: readonly Reason[] | null
  sizeBytes: number | null
  truncated: boolean | null
  firmwareVersion: string | null
  product: string | null
  decoderVersion: string | null
  raw: string
}

const atOnce = 500

type Column = { head: string; cell: (packet: Packet, decoder: FrameDecoder) => string }

const text = (value: string | number | boolean | null) => (value === null ? '' : String(value))
const json = (value: unknown) => plainText(JSON.stringify(value))

const columns: readonly Column[] = [
  { head: 'received (UTC)', cell: ({ receivedAt }) => receivedAt },
  { head: 'device time (UTC)', cell: ({ deviceTime }) => text(deviceTime) },
  { head: 'type', cell: ({ type }) => text(type) },
  { head: 'sequence', cell: ({ seq }) => text(seq) },
  { head: 'validity', cell: ({ status }) => status },
  { head: 'reasons', cell: ({ reasons }) => (reasons ?? []).map(({ code }) => code).join('; ') },
  { head: 'size (B)', cell: ({ sizeBytes }) => text(sizeBytes) },
  { head: 'cut off', cell: ({ truncated }) => text(truncated) },
  { head: 'firmware', cell: ({ firmwareVersion }) => text(firmwareVersion) },
  { head: 'decoder', cell: ({ decoderVersion }) => text(decoderVersion) },
  { head: 'raw (hex)', cell: ({ raw }) => raw },
  { head: 'reasons in full (JSON)', cell: ({ reasons }) => json(reasons ?? []) },
  {
    head: 'fields (JSON)',
    cell: ({ raw, reasons, product }, decoder) => json(decoder.fieldsOf(Buffer.from(raw, 'hex'), reasons ?? [], product)),
  },
  { head: 'id', cell: ({ id }) => id },
]

type Tools = { database: Database; decoder: FrameDecoder }

/** Packets of a span as CSV in order of arrival, with bytes and decoded values. */
export async function* casePackages(
  { database, decoder }: Tools,
  span: Span,
  count: (rows: number) => void,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(({ head }) => head))
  for (let after: Packet | undefined; ; ) {
    const later = after ? sql`and ("p"."receivedAt", "p"."id") > (${after.receivedAt}, ${after.id})` : sql``
    const rows: Packet[] = await rowsOf(
      database.kysely,
      sql<Packet>`select "p"."id", "p"."receivedAt", "p"."deviceTime", "p"."seq", "p"."type", "p"."status", "p"."reasons", "p"."sizeBytes", "p"."truncated",
          "p"."firmwareVersion", "p"."product", "p"."decoderVersion", "p"."raw" from "package" "p"
        where "p"."id" in ${packagesOf(span)} ${later} order by "p"."receivedAt", "p"."id" limit ${atOnce}`,
    )
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map(({ cell }) => cell(row, decoder)))).join('')
    count(rows.length)
    after = rows.at(-1)
    if (rows.length < atOnce) return
  }
}
