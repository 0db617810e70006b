import { sql } from 'kysely'
import type { Label } from '#schema/words.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { notifyUser } from '#server/push/notify-user.ts'
import { failuresAllowed } from './plan-waves.ts'
import { changeRollout, lockRollout, type Rollout, type Target, targetsOf } from './rollout-store.ts'

/** How the boards that were asked so far have done. Those that were left out or cancelled do not count. */
export type Tally = { asked: number; waiting: number; open: number; succeeded: number; failed: number }

const failures = new Set(['FAILED', 'ROLLED_BACK', 'EXPIRED'])
export const isFailure = (status: string | null): boolean => failures.has(status ?? '')

export function tallyOf(targets: readonly Target[]): Tally {
  const asked = targets.filter(({ state, status }) => state === 'REQUESTED' && status !== 'CANCELED')
  return {
    asked: asked.length,
    waiting: targets.filter(({ state }) => state === 'WAITING').length,
    open: asked.filter(({ isOver }) => !isOver).length,
    succeeded: asked.filter(({ status }) => status === 'SUCCEEDED').length,
    failed: asked.filter(({ status }) => isFailure(status)).length,
  }
}

/** Why a running rollout must not go on; undefined while all is well. */
export function objectionTo(rollout: Rollout, targets: readonly Target[]): Label | undefined {
  const { wave, waves, acceptedFailures } = rollout
  const { failed } = tallyOf(targets)
  const size = targets.filter((target) => target.wave === wave && target.state !== 'SKIPPED').length
  const fresh = failed - acceptedFailures
  if (fresh < failuresAllowed(waves[wave - 1], wave - 1, size)) return undefined
  return [`Wave ${wave}: ${fresh} of ${size} boards failed`, `Волна ${wave}: не удалось ${fresh} из ${size}`]
}

/** Stops asking further boards, says why, and tells who has made the rollout. */
export async function pauseRollout(db: Queryable, rollout: Rollout, why: Label, now: Date): Promise<void> {
  await changeRollout(db, rollout, { status: 'PAUSED', statusReason: why.join(' · ') }, now)
  const { id, name, createdBy } = rollout
  const maker = await rowOf(
    db,
    sql`select 1 from "user" where "id" = ${createdBy} and "lockedAt" is null and "deletedAt" is null
      and coalesce("notificationPrefs"->>'push', 'CRITICAL') <> 'OFF'`,
  )
  if (!maker || !createdBy) return
  const title: Label = [`Rollout paused: ${name}`, `Раскатка приостановлена: ${name}`]
  await notifyUser(db, { userId: createdBy, title, body: why, link: `/rollout/${id}`, now })
}

/** Looked at with every update that fails for good, in the same transaction: no further board begins once too many have failed. */
export async function judgeRollout(db: Queryable, id: string, now: Date): Promise<void> {
  const rollout = await lockRollout(db, id)
  if (rollout?.status !== 'RUNNING') return
  const why = objectionTo(rollout, await targetsOf(db, id, rollout.wave))
  if (why) await pauseRollout(db, rollout, why, now)
}
