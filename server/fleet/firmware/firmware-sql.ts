import { sql } from 'kysely'
import { isVersion, versionNumbers } from '#server/db/version-sql.ts'

/** Whether no released firmware that fits the board "t", whose reports are "s", is newer than its own; null while that is unknown. */
export const isLatestFirmware = sql<boolean>`case when ${isVersion(sql`"s"."firmwareVersion"`)} then not exists (
  select 1 from "firmware" "n" where "n"."status" = 'RELEASED' and "n"."hardwareRevisions" ? "t"."hardwareRevision"
    and ${versionNumbers(sql`"n"."firmwareVersion"`)} > ${versionNumbers(sql`"s"."firmwareVersion"`)}) end`
