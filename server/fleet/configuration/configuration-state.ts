import { sql } from 'kysely'
import { serverSettings } from '#resources/fleet/server-settings.ts'

const ofServer = sql.raw(`array[${serverSettings.map((name) => `'${name}'`).join(', ')}]`)

/** The part of the desired configuration "c" that the board must apply, without settings of the server. */
export const desiredOfBoard = sql<Record<string, unknown>>`("c"."desired" - ${ofServer})`

const reported = sql`("s"."reported" - ${ofServer})`
/** The desired values of settings that the board reports: it can apply no others. */
const desiredOfReported = sql`(select coalesce(jsonb_object_agg("d"."key", "d"."value"), '{}') from jsonb_each("c"."desired") "d"
  where ${reported} ? "d"."key")`

/** First compared as a whole: a board that reports every setting is then known to be in sync without a look at each. */
const isDrifted = sql`jsonb_strip_nulls(${reported}) <> jsonb_strip_nulls(${desiredOfBoard})
  and jsonb_strip_nulls(${reported}) <> jsonb_strip_nulls(${desiredOfReported})`

/**
 * State of a configuration: "c" is the desired one, "s" the board's report, perhaps of another installation's version. Most boards report
 * what they were told, nulls too: then nothing is taken apart.
 */
export const configurationState = sql<string>`case
  when "s"."rejectedVersion" = "c"."version" then 'REJECTED'
  when coalesce("s"."reportedVersion", 0) <> "c"."version" then 'PENDING'
  when "s"."reported" = ${desiredOfBoard} then 'IN_SYNC'
  when "s"."reported" is not null and ${isDrifted} then 'DRIFTED'
  else 'IN_SYNC' end`

/** A refusal by the board applies to its version only, not to later ones. */
export const configurationRefusal = sql<
  string | null
>`case when "s"."rejectedVersion" = "c"."version" then "s"."rejectReason" end`

/** Newest configuration of the board "t", as a subquery of one row. */
export const latestConfiguration = sql`(select * from "configuration" where "controlPcbId" = "t"."id" order by "version" desc limit 1)`

/** Outcome of a version "c": accepted or rejected by the board; without an answer it was superseded. */
export const versionOutcome = sql<string>`case
  when "c"."outcome" is not null then "c"."outcome"
  when "c"."version" = "s"."rejectedVersion" then 'REJECTED'
  when "c"."version" = "s"."reportedVersion" then 'APPLIED'
  when "c"."version" = "latest"."version" then 'PENDING'
  else 'REPLACED' end`
