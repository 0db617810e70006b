import { sql } from 'kysely'
import { powerFields } from '#resources/shared/power-flow.ts'

/** Freshness limit, equal to that of `last-telemetry`. */
const fresh = sql`"s"."lastSampleAt" > now() - interval '15 minutes'`

/** Main boards "b" with fresh reports "s": only they count for a site's energy and power. */
export const freshMains = sql`"control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id" and ${fresh}
  and "b"."role" = 'MAIN' and "b"."essId" is not null`

/** Charge of the ESS "t"; null without a recent report of its main board. */
export const essSocPct = sql`(select ("s"."sample"->'socPct'->>'value')::float8 from ${freshMains} where "b"."essId" = "t"."id")`

const powerPairs = sql.join(
  Object.keys(powerFields).map((name) => sql`${sql.lit(name)}, ("s"."sample"->${sql.lit(name)}->>'value')::float8`),
)

/** Present flows of the ESS "t" by channel; null without a recent report of its main board. */
export const essFlow = sql`(select jsonb_build_object(${powerPairs}) from ${freshMains} where "b"."essId" = "t"."id")`
