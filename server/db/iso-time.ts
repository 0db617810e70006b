import { type RawBuilder, sql } from 'kysely'

/** A moment as it travels: ISO 8601 in UTC with milliseconds. For moments inside of a derived group, too. */
export const isoTime = (value: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
