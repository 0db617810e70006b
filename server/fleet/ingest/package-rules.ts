import type { ResourceRules, Row } from '#server/engine/records/resource-rules.ts'
import type { Reason } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { packageDerived } from './package-derived.ts'
import { packageRoutes } from './package-routes.ts'
import { reprocess } from './reprocess.ts'
import { digestSql } from './store-packages.ts'

const reasonsOf = (value: unknown): readonly Reason[] => (Array.isArray(value) ? value : [])

/** Fields are decoded from the bytes on each read. */
function withFields(record: Row): Row {
  if (typeof record.raw !== 'string') return record
  return { ...record, fields: referenceDecoder.fieldsOf(Buffer.from(record.raw, 'hex'), reasonsOf(record.reasons)) }
}

export const packageRules: ResourceRules = {
  derived: packageDerived,
  present: withFields,
  actions: { reprocess },
  indexes: [
    `drop index if exists "package_frame_uq"`,
    `drop index if exists "package_once_uq"`,
    `create unique index if not exists "package_of_board_uq" on "package" ("uid", "deviceTime", "seq", ${digestSql('"raw"')})
      where "status" <> 'DUPLICATE' and "controlPcbId" is not null`,
    `create index if not exists "package_board_ix" on "package" ("controlPcbId", "receivedAt" desc, "id" desc)`,
    `create index if not exists "package_doubtful_ix" on "package" ("receivedAt" desc, "id" desc) where "status" = 'PARTIAL' or "status" = 'INVALID'`,
    `create index if not exists "package_reason_ix" on "package" using gin ("reason")`,
  ],
  routes: packageRoutes,
}
