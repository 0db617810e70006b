import { type RawBuilder, sql } from 'kysely'

/** True for a text that begins with version figures; only such a text has comparable numbers. */
export const isVersion = (version: RawBuilder<unknown>) => sql<boolean>`${version} ~ '^[0-9]{1,9}([.][0-9]{1,9})*(-|$)'`

/** Its figures as numbers, which compare as versions do: 1.10 is above 1.9. */
export const versionNumbers = (version: RawBuilder<unknown>) => sql`string_to_array(split_part(${version}, '-', 1), '.')::int[]`
