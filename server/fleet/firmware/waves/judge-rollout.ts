import { filled, inlineLanguages, type Label, say } from '#schema/words.ts'
import type { Queryable } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import { notifyRolloutPaused } from './notify-paused.ts'
import { failuresAllowed } from './plan-waves.ts'
import { countWaves, type WaveCounts } from './rollout-counts.ts'
import { changeRollout, lockRollout, type Rollout } from './rollout-store.ts'

/** Results of requested boards. Skipped and cancelled ones do not count. */
export type Tally = Record<'asked' | 'waiting' | 'open' | 'changing' | 'succeeded' | 'everFailed', number>

export function tallyOf(waves: readonly WaveCounts[]): Tally {
  const sum = (count: (wave: WaveCounts) => number) => waves.reduce((all, wave) => all + count(wave), 0)
  return {
    asked: sum(({ requested, canceled }) => requested - canceled),
    waiting: sum(({ waiting }) => waiting),
    open: sum(({ requested, over }) => requested - over),
    changing: sum(({ changing }) => changing),
    succeeded: sum(({ succeeded }) => succeeded),
    everFailed: sum(({ everFailed }) => everFailed),
  }
}

/** Reason to pause a running rollout; undefined when there is none. */
export function objectionTo(rollout: Rollout, counts: readonly WaveCounts[]): Label | undefined {
  const { wave, waves, acceptedFailures } = rollout
  const { everFailed } = tallyOf(counts)
  const own = counts.find((each) => each.wave === wave)
  const size = own ? own.waiting + own.requested : 0
  const fresh = everFailed - acceptedFailures
  if (fresh < failuresAllowed(waves[wave - 1], wave - 1, size)) return undefined
  return filled(
    [
      'Wave {wave}: {fresh} of {size, plural, one {# board} other {# boards}} failed',
      'Волна {wave}: не удалось {fresh} из {size}',
    ],
    { wave, fresh, size },
  )
}

/** Pauses the rollout with a reason, writes that to the audit log, and notifies the people on duty. */
export async function pauseRollout(db: Queryable, rollout: Rollout, why: Label, now: Date): Promise<void> {
  const statusReason = inlineLanguages.map((language) => say(why, language)).join(' · ')
  await changeRollout(db, rollout, { status: 'PAUSED', statusReason }, now)
  const change = { before: { status: rollout.status }, after: { status: 'PAUSED' } }
  const entry = { action: 'pause', entityType: 'rollout', entityId: rollout.id, code: rollout.name, ...change }
  await addServerAudit(db, { ...entry, reason: statusReason, at: now })
  await notifyRolloutPaused(db, rollout, why, now)
}

/**
 * Circuit breaker: runs with every final failure in the same transaction, so that no further board starts after too many
 * failures.
 */
export async function judgeRollout(db: Queryable, id: string, now: Date): Promise<void> {
  const rollout = await lockRollout(db, id)
  if (rollout?.status !== 'RUNNING') return
  const why = objectionTo(rollout, await countWaves(db, id, rollout.wave))
  if (why) await pauseRollout(db, rollout, why, now)
}
