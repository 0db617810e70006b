import { type RawBuilder, sql } from 'kysely'
import { failedStates } from '#resources/shared/updates.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { changingList, failedList } from '#server/fleet/firmware/update-state-machine.ts'
import type { TargetState } from './rollout-store.ts'

/**
 * Counts of one wave; from `over` on by the outcome of each requested board; `changing` ones are being installed or applied.
 * `everFailed`: boards with any final failure, whatever came later; an automatic retry is no failure yet.
 */
export type WaveCounts = {
  wave: number
  waiting: number
  requested: number
  skipped: number
  over: number
  canceled: number
  succeeded: number
  failed: number
  changing: number
  everFailed: number
}

const inState = (state: string) => sql`count(*) filter (where "state" = ${sql.lit(state)})`

const countedTargets = (rolloutId: RawBuilder<unknown>) => sql`select "wave", ${inState('WAITING')} as "waiting",
  ${inState('REQUESTED')} as "requested", ${inState('SKIPPED')} as "skipped", 0 as "over", 0 as "canceled", 0 as "succeeded", 0 as "failed",
  0 as "changing", 0 as "everFailed" from "rolloutTarget" where "rolloutId" = ${rolloutId} group by "wave"`

const lastUpdates = (
  rolloutId: RawBuilder<unknown>,
) => sql`select distinct on ("controlPcbId") "wave", "status", "finishedAt" from "firmware_update"
  where "rolloutId" = ${rolloutId} order by "controlPcbId", "id" desc`

const countedUpdates = (rolloutId: RawBuilder<unknown>) => sql`select "wave", 0, 0, 0, count("finishedAt"),
  count(*) filter (where "status" = 'CANCELED'), count(*) filter (where "status" = 'SUCCEEDED'),
  count(*) filter (where "status" in ${failedList}), count(*) filter (where "status" in ${changingList}), 0
  from (${lastUpdates(rolloutId)}) "u" group by "wave"`

const badEnd = sql`"status" in ${failedList} and "retried" is not true`
const countedFailures = (
  rolloutId: RawBuilder<unknown>,
) => sql`select "wave", 0, 0, 0, 0, 0, 0, 0, 0, count(distinct "controlPcbId")
  from "firmware_update" where "rolloutId" = ${rolloutId} and ${badEnd} group by "wave"`

/** Configurations that were brought: one for each board. An open one may still fail where the board was online and has it by now. */
const countedConfigurations = (
  rolloutId: RawBuilder<unknown>,
) => sql`select "wave", 0, 0, 0, count("finishedAt"), ${inState('CANCELED')}, ${inState('SUCCEEDED')},
  ${inState('FAILED')}, count(*) filter (where "state" = 'OPEN' and "isOnline"), ${inState('FAILED')}
  from "rolloutConfiguration" where "rolloutId" = ${rolloutId} group by "wave"`

/** Boards and outcomes are counted separately: looking up each board's update is many times slower. */
const counted = (rolloutId: RawBuilder<unknown>) =>
  sql`(${countedTargets(rolloutId)} union all ${countedUpdates(rolloutId)}
    union all ${countedFailures(rolloutId)} union all ${countedConfigurations(rolloutId)}) "n"`

const names = ['waiting', 'requested', 'skipped', 'over', 'canceled', 'succeeded', 'failed', 'changing', 'everFailed'] as const
const sums = sql.join(names.map((name) => sql`sum(${sql.id(name)})::int4 as ${sql.id(name)}`))

/** Counts of a rollout's waves up to one. */
export const countWaves = (db: Queryable, id: string, upToWave: number): Promise<WaveCounts[]> =>
  rowsOf(
    db,
    sql<WaveCounts>`select "wave", ${sums} from ${counted(sql`${id}`)} where "wave" <= ${upToWave} group by "wave" order by "wave"`,
  )

/** Counts of rollout "t" as jsonb. */
export const progressSql = sql`(select jsonb_build_object('boards', coalesce(sum("waiting" + "requested" + "skipped"), 0),
  'waiting', coalesce(sum("waiting"), 0), 'open', coalesce(sum("requested" - "over"), 0), 'succeeded', coalesce(sum("succeeded"), 0),
  'failed', coalesce(sum("failed"), 0), 'skipped', coalesce(sum("skipped" + "canceled"), 0)) from ${counted(sql`"t"."id"`)})`

/** The same per wave. */
export const waveProgressSql = sql`(select coalesce(jsonb_agg(jsonb_build_object('wave', "w"."wave", 'succeeded', "w"."succeeded",
    'failed', "w"."failed", 'open', "w"."requested" - "w"."over", 'waiting', "w"."waiting", 'skipped', "w"."skipped" + "w"."canceled")
    order by "w"."wave"), '[]')
  from (select "wave", ${sums} from ${counted(sql`"t"."id"`)} group by "wave") "w")`

/** Index-only scan, without the wide update rows. */
export const lastUpdateIndex = `create index if not exists "firmware_update_rolloutLast_ix" on "firmware_update"
  ("rolloutId", "controlPcbId", "id" desc) include ("wave", "status", "finishedAt") where "rolloutId" is not null`

/** Partial index on the few updates that count against their rollout. */
export const badEndIndex = `create index if not exists "firmware_update_badEnd_ix" on "firmware_update" ("rolloutId", "wave", "controlPcbId")
  where "rolloutId" is not null and "status" in (${failedStates.map((status) => `'${status}'`).join(', ')}) and "retried" is not true`

/** Boards of rollout "t" in a state by reason, most frequent first, with the ids of the first few. */
const byReason = (
  state: TargetState,
) => sql`(select coalesce(jsonb_agg(jsonb_build_object('reason', "g"."reason", 'boards', "g"."boards", 'examples', "g"."ids")
    order by "g"."boards" desc, "g"."reason"), '[]')
  from (select "r"."reason", count(*)::int4 as "boards",
      to_jsonb((array_agg("r"."controlPcbId" order by "r"."controlPcbId"))[1:${sql.lit(5)}]) as "ids"
    from (select "x"."controlPcbId", coalesce("x"."reason", case when "x"."wave" > "t"."wave" then 'WAVE' else 'NEXT' end) as "reason"
      from "rolloutTarget" "x" where "x"."rolloutId" = "t"."id" and "x"."state" = ${sql.lit(state)}) "r" group by 1) "g")`

export const waitsSql = byReason('WAITING')
export const leftOutSql = byReason('SKIPPED')
