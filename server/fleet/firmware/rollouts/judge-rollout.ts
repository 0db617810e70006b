import { sql } from 'kysely'
import { filled, inlineLanguages, type Label, say } from '#schema/words.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { failuresAllowed } from './plan-waves.ts'
import { countWaves, type WaveCounts } from './rollout-counts.ts'
import { changeRollout, lockRollout, type Rollout } from './rollout-store.ts'

/** Results of the requested boards. Skipped and cancelled ones do not count. */
export type Tally = { asked: number; waiting: number; open: number; succeeded: number; failed: number }

export function tallyOf(waves: readonly WaveCounts[]): Tally {
  const sum = (count: (wave: WaveCounts) => number) => waves.reduce((all, wave) => all + count(wave), 0)
  return {
    asked: sum(({ requested, canceled }) => requested - canceled),
    waiting: sum(({ waiting }) => waiting),
    open: sum(({ requested, over }) => requested - over),
    succeeded: sum(({ succeeded }) => succeeded),
    failed: sum(({ failed }) => failed),
  }
}

/** Why a running rollout must not go on; undefined while all is well. */
export function objectionTo(rollout: Rollout, counts: readonly WaveCounts[]): Label | undefined {
  const { wave, waves, acceptedFailures } = rollout
  const { failed } = tallyOf(counts)
  const own = counts.find((each) => each.wave === wave)
  const size = own ? own.waiting + own.requested : 0
  const fresh = failed - acceptedFailures
  if (fresh < failuresAllowed(waves[wave - 1], wave - 1, size)) return undefined
  return filled(
    [
      'Wave {wave}: {fresh} of {size, plural, one {# board} other {# boards}} failed',
      'Волна {wave}: не удалось {fresh} из {size}',
    ],
    { wave, fresh, size },
  )
}

/** Pauses the rollout with a reason and notifies its author. */
export async function pauseRollout(db: Queryable, rollout: Rollout, why: Label, now: Date): Promise<void> {
  await changeRollout(
    db,
    rollout,
    { status: 'PAUSED', statusReason: inlineLanguages.map((language) => say(why, language)).join(' · ') },
    now,
  )
  const { id, name, createdBy } = rollout
  const maker = await rowOf(
    db,
    sql`select 1 from "user" where "id" = ${createdBy} and "lockedAt" is null and "deletedAt" is null
      and coalesce("notificationPrefs"->>'push', 'CRITICAL') <> 'OFF'`,
  )
  if (!maker || !createdBy) return
  const title = filled(['Rollout paused: {name}', 'Раскатка приостановлена: {name}'], { name })
  await notifyUser(db, { userId: createdBy, title, body: why, link: `/rollout/${id}`, now })
}

/** Looked at with every update that fails for good, in the same transaction: no further board begins once too many have failed. */
export async function judgeRollout(db: Queryable, id: string, now: Date): Promise<void> {
  const rollout = await lockRollout(db, id)
  if (rollout?.status !== 'RUNNING') return
  const why = objectionTo(rollout, await countWaves(db, id, rollout.wave))
  if (why) await pauseRollout(db, rollout, why, now)
}
