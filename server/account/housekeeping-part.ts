import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { purgeSessions } from './session/session-store.ts'
import { expireInvitations, purgeUsers } from './user-purge.ts'

const everyMs = minuteMs

/** Does what is due: ends invitations, erases users and forgets old sessions. Of several processes one does it, the others pass. */
export function keepHouse({ database, definitions, clock }: ServerContext): Promise<void> {
  return inTransaction(database, async (db) => {
    const lock = await rowOf(db, sql<{ got: boolean }>`select pg_try_advisory_xact_lock(727102) as "got"`)
    if (!lock?.got) return
    const now = clock()
    await purgeSessions(db, now)
    await expireInvitations(db, now)
    await purgeUsers(db, definitions, now)
  })
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
