import { type RawBuilder, sql } from 'kysely'

/** True for text that starts with version numbers; only such text is comparable. */
export const isVersion = (version: RawBuilder<unknown>) => sql<boolean>`${version} ~ '^[0-9]{1,9}([.][0-9]{1,9})*(-|$)'`

/** The version as an array of numbers, for comparison: 1.10 is above 1.9. */
export const versionNumbers = (version: RawBuilder<unknown>) => sql`string_to_array(split_part(${version}, '-', 1), '.')::int[]`
