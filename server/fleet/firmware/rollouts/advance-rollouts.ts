import { minuteMs } from '#schema/format/durations.ts'
import { filled } from '#schema/words.ts'
import type { Database } from '#server/db/connect.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import { eachInTurn } from '#server/db/jobs/each-in-turn.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { objectionTo, pauseRollout, tallyOf } from '#server/fleet/firmware/waves/judge-rollout.ts'
import { countWaves, type WaveCounts } from '#server/fleet/firmware/waves/rollout-counts.ts'
import {
  changeRollout,
  drawTargets,
  lockRollout,
  markTarget,
  type Rollout,
  runningRollouts,
} from '#server/fleet/firmware/waves/rollout-store.ts'
import { settleConfigurations } from './configuration-outcomes.ts'
import { payloads } from './payloads.ts'

/** Boards requested per batch. */
const atOnce = 50

async function nextWave(db: Queryable, rollout: Rollout, now: Date): Promise<void> {
  const { wave, waves } = rollout
  if (wave < waves.length) await changeRollout(db, rollout, { wave: wave + 1, waveSince: now, waveReadyAt: null }, now)
  else await changeRollout(db, rollout, { status: 'FINISHED', finishedAt: now, waveReadyAt: null }, now)
}

/** Closes a wave when enough boards have succeeded and no problem occurred during the observation time. */
async function closeWave(db: Queryable, rollout: Rollout, counts: readonly WaveCounts[], now: Date): Promise<void> {
  const { wave, waves, waveReadyAt, acceptedFailures } = rollout
  const plan = waves[wave - 1]
  const own = tallyOf(counts.filter((each) => each.wave === wave))
  const all = tallyOf(counts)
  const isLast = wave === waves.length
  const rated = own.asked + own.waiting
  if (rated === 0) {
    if (!isLast || all.open + all.waiting === 0) await nextWave(db, rollout, now)
    return
  }
  // A board that is being changed may still fail.
  const isEnough = own.changing === 0 && (100 * own.succeeded) / rated >= (plan?.successPct ?? 100)
  const isSettled = own.open + own.waiting === 0
  // Acknowledged failures no longer count.
  const isAccepted = isSettled && all.everFailed > 0 && all.everFailed <= acceptedFailures
  if (!isEnough && !isAccepted) {
    if (!isSettled) return
    const share = Math.round((100 * own.succeeded) / rated)
    const needed = plan?.successPct ?? 100
    await pauseRollout(
      db,
      rollout,
      filled(['Wave {wave}: {share} % succeeded, {needed} % needed', 'Волна {wave}: успешно {share} %, нужно {needed} %'], {
        wave,
        share,
        needed,
      }),
      now,
    )
    return
  }
  if (isLast) {
    if (all.open + all.waiting === 0) await nextWave(db, rollout, now)
    return
  }
  if (waveReadyAt === null) await changeRollout(db, rollout, { waveReadyAt: now }, now)
  const since = waveReadyAt === null ? now.getTime() : Date.parse(waveReadyAt)
  if (now.getTime() - since >= (plan?.soakMin ?? 0) * minuteMs) await nextWave(db, rollout, now)
}

async function advance(db: Queryable, id: string, now: Date): Promise<void> {
  const rollout = await lockRollout(db, id)
  if (rollout?.status !== 'RUNNING') return
  const held = await payloads[rollout.brings].hold(db, rollout)
  if ('objection' in held) return pauseRollout(db, rollout, held.objection, now)
  const counts = await countWaves(db, id, rollout.wave)
  const why = objectionTo(rollout, counts)
  if (why) return pauseRollout(db, rollout, why, now)
  if (tallyOf(counts).waiting === 0) return closeWave(db, rollout, counts, now)
  let isNews = false
  for (const target of await drawTargets(db, id, rollout.wave, atOnce)) {
    const { controlPcbId } = target
    isNews = (await markTarget(db, id, { controlPcbId, ...(await held.ask(target, now)) })) || isNews
  }
  if (isNews) await addEvents(db, [{ resource: 'rollout', id, version: rollout.version, type: 'updated' }], now)
  await closeWave(db, rollout, await countWaves(db, id, rollout.wave), now)
}

/** Advances every running rollout: requests the boards of its wave, starts the next wave, pauses or ends it. */
export async function advanceRollouts(database: Database, now: Date): Promise<void> {
  await settleConfigurations(database, now)
  await eachInTurn(
    await runningRollouts(database.kysely),
    ({ id }) => `rollout ${id}`,
    ({ id }) => inTransaction(database, (db) => advance(db, id, now)),
  )
}
