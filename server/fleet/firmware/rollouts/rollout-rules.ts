import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { ofStopped, takeStopped } from '#server/fleet/firmware/updates/recalled-firmware.ts'
import { lockUpdates } from '#server/fleet/firmware/updates/update-rows.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { touch } from '#server/fleet/shared/relations.ts'
import { tallyOf } from './judge-rollout.ts'
import { planWaves, type Wave, wavesOf } from './plan-waves.ts'
import { badEndIndex, countWaves, lastUpdateIndex, leftOutSql, progressSql, waitsSql } from './rollout-counts.ts'
import { lockRollout, type Rollout, type RolloutStatus } from './rollout-store.ts'

const faultOf = (waves: readonly Wave[]) => {
  if (waves.some(({ boards, sharePct }) => (boards === null) === (sharePct === null))) return 'rollout.wave-size'
  if (waves.at(-1)?.sharePct !== 100) return 'rollout.last-wave'
  return undefined
}

async function checked(values: Row): Promise<Row> {
  const fault = faultOf(wavesOf(values.waves))
  if (fault) throw fleetProblem(fault)
  return { ...values, waves: wavesOf(values.waves) }
}

/** A rollout that has begun is led by its actions: what it is does not change any more. */
function mustBeDraft(current: Row): void {
  if (current.status !== 'DRAFT') throw fleetProblem('rollout.started')
}

async function locked(id: string, work: Work): Promise<Rollout> {
  const rollout = await lockRollout(work.db, id, true)
  if (!rollout) throw problem('not-found')
  return rollout
}

/** The same, in one of the states that the action begins with: `when` was asked before the lock. */
async function lockedIn(id: string, statuses: readonly RolloutStatus[], work: Work): Promise<Rollout> {
  const rollout = await locked(id, work)
  if (!statuses.includes(rollout.status)) throw problem('busy')
  return rollout
}

type Fitting = { id: string; currentVersion: string | null; firmwareVersion: string }

/** The boards that were chosen; without a choice every one that works, is fitted by the firmware, and runs an older one. */
async function boardsFor({ id, firmwareId }: Rollout, chosen: unknown, work: Work): Promise<string[]> {
  const ids = Array.isArray(chosen) && chosen.length > 0 ? chosen.map(String) : null
  const rows = await rowsOf(
    work.db,
    sql<Fitting>`select "b"."id", "s"."firmwareVersion" as "currentVersion", "f"."firmwareVersion" from "control_pcb" "b"
      cross join "firmware" "f" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      where "f"."id" = ${firmwareId} and (${ids}::text[] is null and "b"."lifecycle" = 'ACTIVE' and "f"."hardwareRevisions" ? "b"."hardwareRevision"
        or "b"."id" = any(${ids}::text[])) order by md5(${id} || "b"."id")`,
  )
  const isOlder = ({ currentVersion, firmwareVersion }: Fitting) =>
    currentVersion !== null && compareVersions(currentVersion, firmwareVersion) < 0
  return rows.filter((board) => ids !== null || isOlder(board)).map((board) => board.id)
}

const start: ActionHandler = async ({ id, record, work }) => {
  const rollout = await lockedIn(id, ['DRAFT'], work)
  const boards = await boardsFor(rollout, record?.controlPcbIds, work)
  if (boards.length === 0) throw fleetProblem('rollout.no-boards')
  const waves = planWaves(rollout.waves, boards.length).flatMap((size, index) => Array<number>(size).fill(index + 1))
  await sql`insert into "rolloutTarget" ("rolloutId", "controlPcbId", "wave", "state")
    select ${id}, "u".*, 'WAITING' from unnest(${sql.val(boards)}::text[], ${sql.val(waves)}::int4[]) as "u"`.execute(work.db)
  await touch(work, 'rollout', id, {
    status: 'RUNNING',
    wave: 1,
    waveSince: work.now,
    startedAt: work.now,
    acceptedFailures: 0,
    waves: rollout.waves,
  })
}

const pause: ActionHandler = async ({ id, values, work }) => {
  await lockedIn(id, ['RUNNING'], work)
  await touch(work, 'rollout', id, { status: 'PAUSED', statusReason: values.note ?? null })
}

/** Resuming acknowledges the failures so far and needs a reason. */
const resume: ActionHandler = async ({ id, values, work }) => {
  const rollout = await lockedIn(id, ['PAUSED'], work)
  const { everFailed } = tallyOf(await countWaves(work.db, id, rollout.wave))
  await touch(work, 'rollout', id, { status: 'RUNNING', statusReason: values.note ?? null, acceptedFailures: everFailed })
}

const stop: ActionHandler = async ({ id, work }) => {
  await lockedIn(id, ['RUNNING', 'PAUSED'], work)
  await touch(work, 'rollout', id, { status: 'STOPPED', finishedAt: work.now, waveReadyAt: null })
  await sql`update "rolloutTarget" set "state" = 'SKIPPED', "reason" = 'STOPPED' where "rolloutId" = ${id} and "state" = 'WAITING'`.execute(
    work.db,
  )
  const queued = await lockUpdates(work.db, sql`"rolloutId" = ${id} and ${ofStopped}`, 10_000)
  for (const update of queued) await takeStopped(work.db, update, work.now, work.caller.userId)
}

export const rolloutRules: ResourceRules = {
  derived: { progress: progressSql, waits: waitsSql, leftOut: leftOutSql },
  beforeCreate: checked,
  beforeUpdate: async (change, current) => {
    mustBeDraft(current)
    return 'waves' in change ? checked(change) : change
  },
  beforeDelete: async (current) => {
    mustBeDraft(current)
    return 'delete'
  },
  actions: { start, pause, resume, stop },
  indexes: [lastUpdateIndex, badEndIndex],
}
