import { sql } from 'kysely'
import { isVersion, versionNumbers } from '#server/db/version-sql.ts'

/** Condition: the firmware fits the board's product and hardware revision; both are table aliases. */
export const fits = (firmware: string, board: string) =>
  sql<boolean>`(${sql.id(firmware, 'product')} = ${sql.id(board, 'product')}
    and ${sql.id(firmware, 'hardwareRevisions')} ? ${sql.id(board, 'hardwareRevision')})`

/** True when no released, compatible firmware is newer than that of the board "t" with reports "s"; null while unknown. */
export const isLatestFirmware = sql<boolean>`case when ${isVersion(sql`"s"."firmwareVersion"`)} then not exists (
  select 1 from "firmware" "n" where "n"."status" = 'RELEASED' and ${fits('n', 't')}
    and ${versionNumbers(sql`"n"."firmwareVersion"`)} > ${versionNumbers(sql`"s"."firmwareVersion"`)}) end`
