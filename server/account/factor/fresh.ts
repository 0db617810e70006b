import { sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import type { Caller } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'

/**
 * Step-up: refuses (403) a session whose owner has not confirmed within so many minutes. The row is read each time, since another
 * process may have taken the confirmation.
 */
export async function demandFresh(
  db: Queryable,
  { sessionId }: Pick<Caller, 'sessionId'>,
  { now, minutes }: { now: Date; minutes: number },
): Promise<void> {
  const since = new Date(now.getTime() - minutes * minuteMs)
  const fresh = await rowOf(db, sql`select 1 from "session" where "id" = ${sessionId} and "confirmedAt" > ${since}`)
  if (!fresh) throw problem('confirmation-needed')
}

/** Sign-in counts as a confirmation; so does each of these. */
export const markFresh = (db: Queryable, { sessionId }: Pick<Caller, 'sessionId'>, now: Date): Promise<unknown> =>
  sql`update "session" set "confirmedAt" = ${now} where "id" = ${sessionId}`.execute(db)
