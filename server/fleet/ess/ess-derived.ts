import { type RawBuilder, sql } from 'kysely'
import { powerFields } from '#resources/shared/power-flow.ts'
import type { DerivedSql, SharedRow } from '#server/engine/sql/shared-rows.ts'
import { isLiveRelation } from '#server/fleet/shared/assignment-sql.ts'
import { causeByBoards, connectionRank, isWell, stateOf, troubleByBoards } from '#server/fleet/shared/connection-sql.ts'
import { isFreshMain, isOfSite } from '#server/fleet/shared/fleet-sql.ts'
import { counting, firstOfEss, severityOf, worstRank } from '#server/fleet/shared/health-sql.ts'

/** All boards of the ESS "t", and the sample of its main one, if it is recent. */
const boards: SharedRow = {
  as: 'boards',
  select: sql`select count(*) as "count", min(${connectionRank}) as "rank", max("s"."lastValidPacketAt") filter (where ${isOfSite('lastValidPacketAt')}) as "lastSignalAt",
      bool_and(${isWell}) as "areWell",
      (array_agg("s"."sample") filter (where ${isFreshMain}))[1] as "sample"
    from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" where "b"."essId" = "t"."id"`,
}

/** Open warnings of the ESS "t". */
const warnings: SharedRow = {
  as: 'warnings',
  select: sql`select count(*) as "count", ${worstRank} as "rank"
    from "telemetry_warning" "w" where "w"."essId" = "t"."id" and ${counting}`,
}

/** Best rank among the boards; null without any. */
const best = sql`"boards"."rank"`
/** Best state among the boards; NEVER without any. */
const connection = stateOf(best)
const worstWarning = severityOf(sql`"warnings"."rank"`)

/** Looking for the board in trouble costs more than all else of a row: it is left out where none can be. */
const cause = sql`case when "boards"."count" = 0 then 'NO_BOARD' when not "boards"."areWell" then ${causeByBoards(best)} end`

const measured = (channel: string) => sql`("boards"."sample"->${sql.lit(channel)}->>'value')::float8`
const powerPairs = sql.join(Object.keys(powerFields).map((name) => sql`${sql.lit(name)}, ${measured(name)}`))

const relationCount = (table: string) =>
  sql`(select count(*) from ${sql.table(table)} "r" where "r"."essId" = "t"."id" and ${isLiveRelation})`

const of = (rows: readonly SharedRow[], value: RawBuilder<unknown>): DerivedSql => ({ of: rows, value })

/** Derived fields of an ESS. Charge and flow are null without a recent report of the main board. */
export const essDerived = {
  connection: of([boards], connection),
  cause: of([boards], cause),
  lastSignalAt: of([boards], sql`"boards"."lastSignalAt"`),
  trouble: of([boards], troubleByBoards(best)),
  worstWarning: of([warnings], worstWarning),
  worst: firstOfEss,
  health: of(
    [boards, warnings],
    sql`case when ${connection} in ('OFFLINE', 'NEVER') then 'UNKNOWN' else coalesce(${worstWarning}, 'OK') end`,
  ),
  socPct: of([boards], measured('socPct')),
  flow: of([boards], sql`case when "boards"."sample" is not null then jsonb_build_object(${powerPairs}) end`),
  counts: of(
    [boards, warnings],
    sql`jsonb_build_object('boards', "boards"."count", 'guests', ${relationCount('guest')},
      'serviceEngineers', ${relationCount('service_engineer')}, 'openWarnings', "warnings"."count")`,
  ),
}
