import { sql } from 'kysely'

/** Older samples say nothing of the present: as long as `last-telemetry` calls them fresh. */
const fresh = sql`"s"."lastSampleAt" > now() - interval '15 minutes'`

/** Main boards "b" of systems with their fresh reports "s": only they count in what a site has and does. */
export const freshMains = sql`"control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id" and ${fresh}
  and "b"."role" = 'MAIN' and "b"."essId" is not null`

/** Charge of the ESS "t"; null without a recent report of its main board. */
export const essSocPct = sql`(select ("s"."sample"->'socPct'->>'value')::float8 from ${freshMains} where "b"."essId" = "t"."id")`
