import { sql } from 'kysely'
import type { Fields } from '#schema/field-types.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import type { Caller } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { ownValue, realChange } from './form-values.ts'
import type { Row, Work } from './resource-rules.ts'
import type { Engine } from './work.ts'

/** `isOwn`: the sign-in, which confirms a session as well, is not enough. */
type Freshness = { now: Date; minutes: number; isOwn?: boolean }

/**
 * Step-up authentication: throws 403 when the session's owner has not confirmed recently. The row is read each time, since
 * another process may have recorded the confirmation.
 */
export async function requireFresh(
  db: Queryable,
  { sessionId }: Pick<Caller, 'sessionId'>,
  { now, minutes, isOwn = false }: Freshness,
): Promise<void> {
  const since = new Date(now.getTime() - minutes * minuteMs)
  const fresh = await rowOf(
    db,
    sql`select 1 from "session" where "id" = ${sessionId} and "confirmedAt" > ${since} and "endedAt" is null and (${!isOwn} or "confirmedAt" > "createdAt")`,
  )
  if (!fresh) throw problem('confirmation-needed')
}

const ownFreshMinutes = 5

/** The same for what no setting may relax: within five minutes, and by a confirmation of its own. */
export const requireOwnConfirmation = (db: Queryable, caller: Pick<Caller, 'sessionId'>, now: Date): Promise<void> =>
  requireFresh(db, caller, { now, minutes: ownFreshMinutes, isOwn: true })

/** Marks the session as confirmed; sign-in counts as well. */
export const markFresh = (db: Queryable, { sessionId }: Pick<Caller, 'sessionId'>, now: Date): Promise<unknown> =>
  sql`update "session" set "confirmedAt" = ${now} where "id" = ${sessionId}`.execute(db)

/** The same for a call of the engine whose definition requires it. */
export const freshCaller = ({ context }: Pick<Engine, 'context'>, { db, caller, now }: Pick<Work, 'db' | 'caller' | 'now'>) =>
  requireFresh(db, caller, { now, minutes: context.config.confirmAfterMin })

const partsOf = (value: unknown): Row => (isObject(value) ? value : {})

/** True when a value belongs to a field with `fresh`, or changes such a part of a group. `current`: the stored values. */
export const asksFresh = (fields: Fields, values: Row, current: Row = {}): boolean =>
  Object.entries(values).some(([name, value]) => {
    const field = fields[name]
    if (field?.type !== 'group' || field.fresh) return field?.fresh
    const [next, before] = [partsOf(ownValue(field, partsOf(value))), partsOf(current[name])]
    return asksFresh(field.fields, realChange(field.fields, next, before), before)
  })
