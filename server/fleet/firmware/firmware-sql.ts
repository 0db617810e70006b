import { sql } from 'kysely'
import { isVersion, versionNumbers } from '#server/db/version-sql.ts'

/** True when no released, compatible firmware is newer than that of the board "t" with reports "s"; null while unknown. */
export const isLatestFirmware = sql<boolean>`case when ${isVersion(sql`"s"."firmwareVersion"`)} then not exists (
  select 1 from "firmware" "n" where "n"."status" = 'RELEASED' and "n"."hardwareRevisions" ? "t"."hardwareRevision"
    and ${versionNumbers(sql`"n"."firmwareVersion"`)} > ${versionNumbers(sql`"s"."firmwareVersion"`)}) end`
