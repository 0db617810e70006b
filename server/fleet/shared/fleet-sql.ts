import { sql } from 'kysely'

/** Freshness limit, equal to that of `last-telemetry`. */
const fresh = sql`"s"."lastSampleAt" > now() - interval '15 minutes'`

/** A main board "b" with fresh reports "s": only these count for a site's energy and power. */
export const isFreshMain = sql`${fresh} and "b"."role" = 'MAIN' and "b"."essId" is not null`

/** Main boards "b" with fresh reports "s". */
export const freshMains = sql`"control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id" and ${isFreshMain}`
