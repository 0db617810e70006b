import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
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
} from '#server/fleet/firmware/waves/rollout-counts.ts'
import { lockRollout, type Rollout, type RolloutStatus } from '#server/fleet/firmware/waves/rollout-store.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { touch } from '#server/fleet/shared/relations.ts'
import { boardsFor, firstBoardsSql, keepFirst, mostShown } from './choose-boards.ts'

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

const start: ActionHandler = async ({ id, record, work }) => {
  const rollout = await lockedIn(id, ['DRAFT'], work)
  const boards = await boardsFor(work.db, rollout, record?.controlPcbIds)
  if (boards.length === 0) throw fleetProblem('rollout.no-boards')
  const waves = planWaves(rollout.waves, boards.length).flatMap((size, index) => Array<number>(size).fill(index + 1))
  await sql`insert into "rolloutTarget" ("rolloutId", "controlPcbId", "wave", "state")
    select ${id}, "u".*, 'WAITING' from unnest(${sql.val(boards.map((board) => board.id))}::text[], ${sql.val(waves)}::int4[]) as "u"`.execute(
    work.db,
  )
  await keepFirst(work.db, id, boards.slice(0, mostShown))
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
  derived: { progress: progressSql, waits: waitsSql, leftOut: leftOutSql, firstBoards: firstBoardsSql },
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
