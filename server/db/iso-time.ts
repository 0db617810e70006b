import { type RawBuilder, sql } from 'kysely'

/** An instant in wire format: ISO 8601 in UTC with milliseconds. Also for instants inside a derived group. */
export const isoTime = (value: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
