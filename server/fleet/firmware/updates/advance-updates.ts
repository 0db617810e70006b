import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { isDatabaseAway } from '#server/db/database-problem.ts'
import { eachInTurn } from '#server/db/jobs/each-in-turn.ts'
import { jobsSince } from '#server/db/jobs/lease.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { confirmation, deadlines } from '#server/fleet/firmware/update-state-machine.ts'
import { blocksUpdate, isForeign } from './blocking-warnings.ts'
import { ofRevoked, ofStopped, takeRevoked, takeStopped } from './recalled-firmware.ts'
import { lockUpdates, type Update } from './update-rows.ts'
import { moveUpdate } from './update-store.ts'

const atOnce = 25

async function overdue(db: Queryable, update: Update, now: Date): Promise<void> {
  if (update.status === 'SCHEDULED') {
    await moveUpdate(db, update, { to: 'QUEUED', source: 'SERVER', note: { code: 'DUE' } }, now)
    return
  }
  const deadline = deadlines[update.status]
  if (!deadline) return
  const { next, failureCode, isFinal = false } = deadline
  const why = failureCode ? { failureCode } : {}
  await moveUpdate(db, update, { to: next, source: 'SERVER', note: { code: 'OVERDUE' }, isFinal, ...why }, now)
}

/**
 * A critical warning raised with the new version that is open or ended recently. Part of the condition: blocked rows must not
 * starve those that may proceed.
 */
const criticalSince = (quiet: Date) =>
  sql`exists (select 1 from "telemetry_warning" "w" where ${blocksUpdate({
    boardId: sql`"firmware_update"."controlPcbId"`,
    essId: sql`"firmware_update"."essId"`,
    version: sql`"firmware_update"."toVersion"`,
  })} and not ${isForeign} and "w"."raisedAt" >= "firmware_update"."stateSince" and ("w"."active" or "w"."clearedAt" > ${quiet}))`

async function confirm(db: Queryable, update: Update, now: Date): Promise<void> {
  const values = { packets: update.confirmedPackets ?? 0, version: update.toVersion }
  await moveUpdate(db, update, { to: 'SUCCEEDED', source: 'SERVER', note: { code: 'CONFIRMED', values } }, now)
}

/** After an outage of all servers a board gets five minutes to report its progress. */
const wasHeard = sql`coalesce(${jobsSince} <= greatest("progressAt", now() - interval '5 minutes'), true)`

type Step = { where: RawBuilder<unknown>; act: (db: Queryable, update: Update, now: Date) => Promise<void> }

/** The next updates of a step, in one transaction. */
async function advanceSome(database: Database, { where, act }: Step, now: Date): Promise<boolean> {
  return inTransaction(database, async (db) => {
    const due = await lockUpdates(db, where, atOnce)
    for (const update of due) await act(db, update, now)
    return due.length === atOnce
  })
}

/** The same one by one, after one of them has failed with the others of its transaction. */
async function advanceOneByOne(database: Database, { where, act }: Step, now: Date): Promise<void> {
  const due = await rowsOf(
    database.kysely,
    sql<{ id: string }>`select "id" from "firmware_update" where ${where} order by "id"`,
  )
  const one = ({ id }: { id: string }) =>
    inTransaction(database, async (db) => {
      for (const update of await lockUpdates(db, sql`"id" = ${id} and ${where}`)) await act(db, update, now)
    })
  await eachInTurn(due, ({ id }) => `update ${id}`, one)
}

async function advanceAll(database: Database, step: Step, now: Date): Promise<void> {
  try {
    while (await advanceSome(database, step, now));
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    await advanceOneByOne(database, step, now)
  }
}

/**
 * Advances every due update: confirmed ones succeed, timed-out ones fail, and those of a revoked firmware or a stopped rollout
 * are cancelled, even if they were locked or requested at that moment.
 */
export async function advanceUpdates(database: Database, now: Date): Promise<void> {
  const quiet = new Date(now.getTime() - confirmation.quietMs)
  const confirmable = sql`"finishedAt" is null and "status" = 'CONFIRMING' and "confirmedPackets" >= ${confirmation.packets} and "stateSince" <= ${quiet}
    and not ${criticalSince(quiet)}`
  const late = sql`"finishedAt" is null and "deadlineAt" <= ${now} and ("status" = 'SCHEDULED' or ${wasHeard})`
  const steps = [
    { name: 'recall', where: ofRevoked, act: takeRevoked },
    { name: 'stop', where: ofStopped, act: takeStopped },
    { name: 'confirmation', where: confirmable, act: confirm },
    { name: 'deadline', where: late, act: overdue },
  ]
  await eachInTurn(
    steps,
    ({ name }) => name,
    (step) => advanceAll(database, step, now),
  )
}
