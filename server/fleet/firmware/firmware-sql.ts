import { sql } from 'kysely'
import { isVersion, versionNumbers } from '#server/db/version-sql.ts'

/** The firmware is for the product of the board, and for its hardware revision; both by the names of their tables. */
export const fits = (firmware: string, board: string) =>
  sql<boolean>`(${sql.id(firmware, 'product')} = ${sql.id(board, 'product')}
    and ${sql.id(firmware, 'hardwareRevisions')} ? ${sql.id(board, 'hardwareRevision')})`

/** True when no released, compatible firmware is newer than that of the board "t" with reports "s"; null while unknown. */
export const isLatestFirmware = sql<boolean>`case when ${isVersion(sql`"s"."firmwareVersion"`)} then not exists (
  select 1 from "firmware" "n" where "n"."status" = 'RELEASED' and ${fits('n', 't')}
    and ${versionNumbers(sql`"n"."firmwareVersion"`)} > ${versionNumbers(sql`"s"."firmwareVersion"`)}) end`
