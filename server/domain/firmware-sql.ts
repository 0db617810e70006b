import { type RawBuilder, sql } from 'kysely'

const numbers = (version: RawBuilder<unknown>) => sql`string_to_array(split_part(${version}, '-', 1), '.')::int[]`

/** Whether no released firmware that fits the board "t", whose reports are "s", is newer than its own; null while that is unknown. */
export const isLatestFirmware = sql<boolean>`case when "s"."firmwareVersion" ~ '^[0-9]{1,9}([.][0-9]{1,9})*(-|$)' then not exists (
  select 1 from "firmware" "n" where "n"."status" = 'RELEASED' and "n"."hardwareRevisions" ? "t"."hardwareRevision"
    and ${numbers(sql`"n"."firmwareVersion"`)} > ${numbers(sql`"s"."firmwareVersion"`)}) end`
