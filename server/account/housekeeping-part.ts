import { minuteMs } from '#schema/format/durations.ts'
import { tryLock } from '#server/base/advisory-locks.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { forgetAnswers } from '#server/engine/http/idempotency.ts'
import { expireInvitations, purgeUsers } from './erasure/user-purge.ts'
import { forgetBegun } from './oidc/attempt.ts'
import { forgetCeremonies } from './passkey/ceremony.ts'
import { purgeSessions } from './session/session-store.ts'
import { forgetDevices } from './session/sign-in-device.ts'

const everyMs = minuteMs

type Chore = (db: Queryable, now: Date, context: ServerContext) => Promise<unknown>

const chores: readonly Chore[] = [
  purgeSessions,
  forgetBegun,
  forgetCeremonies,
  forgetAnswers,
  forgetDevices,
  expireInvitations,
  (db, now, context) => purgeUsers(db, context, now),
]

/**
 * Due housekeeping: ends invitations, erases users, deletes old sessions and idempotent answers. An advisory lock lets one
 * process do each chore and others skip it. A failing chore does not stop the others.
 */
export async function keepHouse(context: ServerContext): Promise<void> {
  const faults: unknown[] = []
  for (const chore of chores) {
    const done = inTransaction(context.database, async (db) => {
      if (await tryLock(db, 'housekeeping')) await chore(db, context.clock(), context)
    })
    await done.catch((error: unknown) => faults.push(error))
  }
  if (faults.length > 0) throw faults[0]
}

/** Runs `keepHouse` once a minute while the server listens. */
export const housekeepingPart: ServerPart = {
  name: 'housekeeping',
  async start(context) {
    let underway: Promise<void> = Promise.resolve()
    const tick = () => {
      underway = keepHouse(context).catch((error: unknown) => context.log.error({ err: error }, 'housekeeping failed'))
    }
    const timer = setInterval(tick, everyMs)
    timer.unref()
    return async () => {
      clearInterval(timer)
      await underway
    }
  },
}
