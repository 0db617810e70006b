import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { confirmation, deadlines } from './update-course.ts'
import { lockUpdates, moveUpdate, type Update } from './update-store.ts'

const atOnce = 25

async function overdue(db: Queryable, update: Update, now: Date): Promise<void> {
  if (update.status === 'SCHEDULED') {
    await moveUpdate(db, update, { to: 'QUEUED', source: 'SERVER', note: { code: 'DUE' } }, now)
    return
  }
  const deadline = deadlines[update.status]
  if (!deadline) return
  const { next, failureCode } = deadline
  await moveUpdate(
    db,
    update,
    { to: next, source: 'SERVER', note: { code: 'OVERDUE' }, ...(failureCode ? { failureCode } : {}) },
    now,
  )
}

const criticalSince = ({ controlPcbId, essId, stateSince }: Update) =>
  sql`select 1 from "telemetry_warning" where ("controlPcbId" = ${controlPcbId} or "essId" = ${essId}) and "severity" = 'CRITICAL'
    and "raisedAt" >= ${stateSince} and not "suppressed"`

async function confirm(db: Queryable, update: Update, now: Date): Promise<void> {
  if (await rowOf(db, criticalSince(update))) return
  const values = { packets: update.confirmedPackets ?? 0, version: update.toVersion }
  await moveUpdate(db, update, { to: 'SUCCEEDED', source: 'SERVER', note: { code: 'CONFIRMED', values } }, now)
}

/** Brings on every update whose time has come: those that were confirmed succeed, those that took too long end. */
export async function advanceUpdates(database: Database, now: Date): Promise<void> {
  const quiet = new Date(now.getTime() - confirmation.quietMs)
  const confirmable = sql`"status" = 'CONFIRMING' and "confirmedPackets" >= ${confirmation.packets} and "stateSince" <= ${quiet}`
  const late = sql`"finishedAt" is null and "deadlineAt" <= ${now}`
  for (const [where, act] of [
    [confirmable, confirm],
    [late, overdue],
  ] as const) {
    for (let more = true; more; ) {
      more = await inTransaction(database, async (db) => {
        const due = await lockUpdates(db, where, atOnce)
        for (const update of due) await act(db, update, now)
        return act === overdue && due.length === atOnce
      })
    }
  }
}
