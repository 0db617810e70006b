import { type RawBuilder, sql } from 'kysely'

/** Packets of a board in one request. */
export type Counts = { valid: number; partial: number; invalid: number; duplicate: number; missed: number }

/** Adds to what came of a board in this hour. */
export function countingSql(controlPcbId: string, counts: Counts, now: Date): RawBuilder<unknown> {
  const { valid, partial, invalid, duplicate, missed } = counts
  const add = (name: string) => sql`${sql.id(name)} = "packageHour".${sql.id(name)} + excluded.${sql.id(name)}`
  return sql`insert into "packageHour" ("controlPcbId", "hour", "valid", "partial", "invalid", "duplicate", "missed")
      values (${controlPcbId}, date_bin('1 hour', ${now}::timestamptz, '2000-01-01Z'), ${valid}, ${partial}, ${invalid}, ${duplicate}, ${missed})
      on conflict ("controlPcbId", "hour") do update set
        ${sql.join(['valid', 'partial', 'invalid', 'duplicate', 'missed'].map(add))}`
}
