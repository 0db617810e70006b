import type { ResourceRules, Row } from '#server/engine/records/resource-rules.ts'
import type { FrameDecoder, Reason } from '#server/frames/frame-decoder.ts'
import { packageDerived } from './package-derived.ts'
import { packageRoutes } from './package-routes.ts'
import { reprocess } from './reprocess.ts'
import { digestSql } from './store-packages.ts'

const reasonsOf = (value: unknown): readonly Reason[] => (Array.isArray(value) ? value : [])

/** Decodes fields from the bytes on each read, by the layout of the sending product. */
function withFields(record: Row, decoder: FrameDecoder): Row {
  const { raw, reasons, product } = record
  if (typeof raw !== 'string') return record
  const sender = typeof product === 'string' ? product : null
  return { ...record, fields: decoder.fieldsOf(Buffer.from(raw, 'hex'), reasonsOf(reasons), sender) }
}

export const packageRules = (decoder: FrameDecoder): ResourceRules => ({
  derived: packageDerived,
  present: (record) => withFields(record, decoder),
  actions: { reprocess: reprocess(decoder) },
  indexes: [
    `drop index if exists "package_frame_uq"`,
    `drop index if exists "package_once_uq"`,
    `create unique index if not exists "package_of_board_uq" on "package" ("uid", "deviceTime", "seq", ${digestSql('"raw"')})
      where "status" <> 'DUPLICATE' and "controlPcbId" is not null`,
    `create index if not exists "package_board_ix" on "package" ("controlPcbId", "receivedAt" desc, "id" desc)`,
    `create index if not exists "package_doubtful_ix" on "package" ("receivedAt" desc, "id" desc) where "status" = 'PARTIAL' or "status" = 'INVALID'`,
    `create index if not exists "package_unread_ix" on "package" ("controlPcbId", "protocolVersion", "receivedAt", "id") where "status" = 'UNKNOWN_VERSION'`,
    `create index if not exists "package_reason_ix" on "package" using gin ("reason")`,
  ],
  routes: packageRoutes,
})
