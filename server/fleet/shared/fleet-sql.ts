import { sql } from 'kysely'

/** For how long the newest sample of the reports "s" is shown as the present one: three intervals, and a quarter of an hour at least. */
const presentFor = sql`make_interval(secs => greatest(3 * "s"."reportIntervalS", 900))`

/** True for the reports "s" whose newest sample is the present one, by the clock of the database or a given one. */
export const isFresh = (now?: Date) =>
  sql<boolean>`("s"."lastSampleAt" > ${now ? sql`${now.toISOString()}::timestamptz` : sql`now()`} - ${presentFor}) is true`

/** True for the reports "s" when a moment is not before the board came to its site. */
export const isOfSite = (moment: 'lastSampleAt' | 'lastValidPacketAt') =>
  sql<boolean>`(${sql.ref(`s.${moment}`)} >= coalesce("s"."siteSince", '-infinity')) is true`

/** A main board "b" with fresh reports "s" of its site: only these count for a site's energy and power. */
export const isFreshMain = sql`${isFresh()} and ${isOfSite('lastSampleAt')} and "b"."role" = 'MAIN' and "b"."essId" is not null`

/** Main boards "b" with fresh reports "s". */
export const freshMains = sql`"control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id" and ${isFreshMain}`
