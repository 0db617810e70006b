import { sql } from 'kysely'
import { rolloutChoice } from '#resources/rollout.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { ofStopped, takeStopped } from '#server/fleet/firmware/updates/recalled-firmware.ts'
import { lockUpdates } from '#server/fleet/firmware/updates/update-rows.ts'
import { tallyOf } from '#server/fleet/firmware/waves/judge-rollout.ts'
import { planWaves, type Wave, wavesOf } from '#server/fleet/firmware/waves/plan-waves.ts'
import {
  badEndIndex,
  countWaves,
  lastUpdateIndex,
  leftOutSql,
  progressSql,
  waitsSql,
  waveProgressSql,
} from '#server/fleet/firmware/waves/rollout-counts.ts'
import { lockRollout, type Rollout, type RolloutStatus } from '#server/fleet/firmware/waves/rollout-store.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { writeColumns } from '#server/fleet/shared/relations.ts'
import { chooseBoards, sizeOf } from './choose-boards.ts'
import { firstBoardsSql, keepFirst, mostShown } from './first-boards.ts'
import { inOrder } from './order-boards.ts'
import { payloads } from './payloads.ts'
import { rolloutOutlook } from './rollout-outlook.ts'
import { rolloutProblem } from './rollout-problems.ts'

const faultOf = (waves: readonly Wave[]) => {
  if (waves.some(({ boards, sharePct }) => (boards === null) === (sharePct === null))) return 'rollout.wave-size'
  if (waves.at(-1)?.sharePct !== 100) return 'rollout.last-wave'
  return undefined
}

async function checked(values: Row): Promise<Row> {
  mustBeInOrder(values)
  const fault = faultOf(wavesOf(values.waves))
  if (fault) throw rolloutProblem(fault)
  return { ...values, waves: wavesOf(values.waves) }
}

function mustBeInOrder({ versionFrom, versionTo }: Row): void {
  if (typeof versionFrom !== 'string' || typeof versionTo !== 'string') return
  if (compareVersions(versionFrom, versionTo) > 0) throw rolloutProblem('rollout.versions')
}

/** A started rollout changes by its actions only. */
function mustBeDraft(current: Row): void {
  if (current.status !== 'DRAFT') throw rolloutProblem('rollout.started')
}

async function locked(id: string, work: Work): Promise<Rollout> {
  const rollout = await lockRollout(work.db, id, true)
  if (!rollout) throw problem('not-found')
  return rollout
}

/** Locks the rollout and rechecks its state: `when` was evaluated before the lock. */
async function lockedIn(id: string, statuses: readonly RolloutStatus[], work: Work): Promise<Rollout> {
  const rollout = await locked(id, work)
  if (!statuses.includes(rollout.status)) throw problem('busy')
  return rollout
}

/** Values that decide the included boards, read under the lock. */
const wantedBy = (id: string, { db }: Work): Promise<Row | undefined> =>
  rowOf(db, sql<Row>`select ${sql.join(rolloutChoice.map((name) => sql.id(name)))} from "rollout" where "id" = ${id}`)

const start: ActionHandler = async ({ id, work }) => {
  const rollout = await lockedIn(id, ['DRAFT'], work)
  await payloads[rollout.brings].begin(work.db, rollout)
  const wanted = (await wantedBy(id, work)) ?? {}
  const { taken, left } = await chooseBoards(work, wanted, null)
  const size = sizeOf(taken)
  if (size === 0) throw rolloutProblem('rollout.no-boards')
  const boards = inOrder(taken)
  // A wave that no board falls to is left out, so that the numbers have no hole.
  const sizes = planWaves(rollout.waves, size)
  const waves = rollout.waves.filter((_, index) => sizes[index] !== 0)
  const places = sizes.filter((count) => count > 0).flatMap((count, index) => Array<number>(count).fill(index + 1))
  await sql`insert into "rolloutTarget" ("rolloutId", "controlPcbId", "wave", "state")
    select ${id}, "u".*, 'WAITING' from unnest(${sql.val(boards.map((board) => board.id))}::text[], ${sql.val(places)}::int4[]) as "u"`.execute(
    work.db,
  )
  // Explicitly named boards are recorded as skipped. Others were never requested.
  const named = Array.isArray(wanted.controlPcbIds) && wanted.controlPcbIds.length > 0 ? left : []
  for (const { ids, reason } of named)
    await sql`insert into "rolloutTarget" ("rolloutId", "controlPcbId", "wave", "state", "reason")
      select ${id}, "u", 1, 'SKIPPED', ${reason} from unnest(${sql.val(ids)}::text[]) as "u"`.execute(work.db)
  await keepFirst(work.db, id, boards.slice(0, mostShown))
  await writeColumns(work, 'rollout', id, {
    status: 'RUNNING',
    wave: 1,
    waveSince: work.now,
    startedAt: work.now,
    startedBy: work.caller.userId,
    acceptedFailures: 0,
    waves,
  })
}

const pause: ActionHandler = async ({ id, values, work }) => {
  await lockedIn(id, ['RUNNING'], work)
  await writeColumns(work, 'rollout', id, { status: 'PAUSED', statusReason: values.note ?? null })
}

/** Resuming acknowledges the failures so far and requires a reason. */
const resume: ActionHandler = async ({ id, values, work }) => {
  const rollout = await lockedIn(id, ['PAUSED'], work)
  const { everFailed } = tallyOf(await countWaves(work.db, id, rollout.wave))
  await writeColumns(work, 'rollout', id, {
    status: 'RUNNING',
    statusReason: values.note ?? null,
    acceptedFailures: everFailed,
  })
}

/** Queued updates that a stop cancels itself. The job of updates cancels further ones within seconds. */
const mostAtOnce = 1_000

const stop: ActionHandler = async ({ id, work }) => {
  await lockedIn(id, ['RUNNING', 'PAUSED'], work)
  await writeColumns(work, 'rollout', id, { status: 'STOPPED', finishedAt: work.now, waveReadyAt: null })
  await sql`update "rolloutTarget" set "state" = 'SKIPPED', "reason" = 'STOPPED' where "rolloutId" = ${id} and "state" = 'WAITING'`.execute(
    work.db,
  )
  const queued = await lockUpdates(work.db, sql`"rolloutId" = ${id} and ${ofStopped}`, mostAtOnce)
  for (const update of queued) await takeStopped(work.db, update, work.now, work.caller.userId)
}

/** End of the observation time, after which the next wave starts. */
const nextWaveSql = sql`case when "t"."status" = 'RUNNING' and "t"."wave" < jsonb_array_length("t"."waves")
  then "t"."waveReadyAt" + make_interval(mins => ("t"."waves"->(("t"."wave" - 1)::int4)->>'soakMin')::int4) end`

const soakOf = (wave: string) => sql.raw(`make_interval(mins => coalesce((${wave}->>'soakMin')::int4, 0))`)

/**
 * When the last wave is over, if its boards and those of the waves before take as long as those that are done: unknown before the first of
 * them. Boards that wait for their window or come back late make it later.
 */
const endSql = sql`case when "t"."status" = 'RUNNING' then (select greatest(now(),
    coalesce("t"."waveReadyAt", "t"."waveSince" + "p"."pace") + ${soakOf(`("t"."waves"->("t"."wave" - 1)::int4)`)}
    + coalesce((select sum("p"."pace" + ${soakOf(`"w"."wave"`)}) from jsonb_array_elements("t"."waves") with ordinality as "w" ("wave", "n")
      where "w"."n" > "t"."wave"), interval '0'))
  from (select avg("d"."time") as "pace" from (select "u"."finishedAt" - "u"."createdAt" as "time" from "firmware_update" "u"
      where "u"."rolloutId" = "t"."id" and "u"."status" = 'SUCCEEDED'
    union all select "o"."finishedAt" - "o"."startedAt" from "rolloutConfiguration" "o"
      where "o"."rolloutId" = "t"."id" and "o"."state" = 'SUCCEEDED') "d") "p" where "p"."pace" is not null) end`

export const rolloutRules: ResourceRules = {
  derived: {
    progress: progressSql,
    waveProgress: waveProgressSql,
    nextWaveAt: nextWaveSql,
    endsAt: endSql,
    subject: sql`coalesce((select "f"."firmwareVersion" from "firmware" "f" where "f"."id" = "t"."firmwareId"),
      (select "m"."code" from "configuration_template" "m" where "m"."id" = "t"."templateId"))`,
    waits: waitsSql,
    leftOut: leftOutSql,
    firstBoards: firstBoardsSql,
  },
  beforeCreate: checked,
  beforeUpdate: async (change, current) => {
    mustBeDraft(current)
    mustBeInOrder({ ...current, ...change })
    return 'waves' in change ? checked(change) : change
  },
  beforeDelete: async (current) => {
    mustBeDraft(current)
    return 'delete'
  },
  outlook: async (values, work) => {
    mustBeInOrder(values)
    return rolloutOutlook(values, work)
  },
  actions: { start, pause, resume, stop },
  indexes: [lastUpdateIndex, badEndIndex],
}
