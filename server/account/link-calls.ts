import type { FastifyRequest } from 'fastify'
import { holdAccount } from '#server/account/session/sign-out.ts'
import { Problem, problem } from '#server/base/problems.ts'
import { limits, takeAttempt, waitFor } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { consumeLink, type Link, type LinkKind, peekLink } from './link.ts'
import { type Person, personById } from './user-store.ts'

/** Sets the caller: the holder of a link's token acts as its addressee. */
function actAs(request: FastifyRequest, { id, email, role, firstName, lastName, language }: Person): void {
  const user = { id, email, role, firstName: firstName ?? '', lastName: lastName ?? '', language, timezone: null }
  request.caller = { userId: id, role, sessionId: '', email, user }
}

/** Runs work as a user who is authenticated by other means than a session. */
export function runAs<T>(
  tools: RecordTools,
  request: FastifyRequest,
  person: Person,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  actAs(request, person)
  return tools.transact(request, work)
}

/** Slows down guessing of tokens: too many invalid links from one address give 429. */
async function limited<T>({ context }: RecordTools, request: FastifyRequest, task: () => Promise<T>): Promise<T> {
  const limit = limits.linkAddress(request.ip)
  const retryAfterS = await waitFor(context.database.kysely, [limit], context.clock())
  if (retryAfterS > 0) throw problem('too-many', { retryAfterS })
  try {
    return await task()
  } catch (error) {
    if (error instanceof Problem && error.code === 'link.dead')
      await inTransaction(context.database, (db) => takeAttempt(db, [limit], context.clock()))
    throw error
  }
}

export type LinkCall<Prepared> = {
  token: string
  kinds: readonly LinkKind[]
  /** False when the link no longer applies to this user; it is then invalid. */
  serves: (person: Person) => boolean
  /** Runs before the transaction: slow work, or checks that must not use up the link. */
  prepare: (person: Person, link: Link) => Promise<Prepared>
  /** The change, in one transaction with using up the link. */
  complete: (call: { person: Person; link: Link; prepared: Prepared; work: Work }) => Promise<void>
}

/** Runs a call authorised by a mailed link. 410 for an invalid link, 429 after too many calls. */
export function followLink<Prepared>(
  tools: RecordTools,
  request: FastifyRequest,
  { token, kinds, serves, prepare, complete }: LinkCall<Prepared>,
): Promise<Person> {
  return limited(tools, request, async () => {
    const { database, clock } = tools.context
    const presented = { token, kinds, now: clock() }
    const link = await peekLink(database.kysely, presented)
    const person = await personById(database.kysely, link.userId)
    if (!person || !serves(person)) throw problem('link.dead')
    const prepared = await prepare(person, link)
    await runAs(tools, request, person, async (work) => {
      // Another role, a lock and another link of the person wait for the end of this one, or are seen here.
      await holdAccount(work.db, person.id)
      const now = await personById(work.db, person.id)
      if (!now || !serves(now) || now.isComplete !== person.isComplete) throw problem('link.dead')
      await consumeLink(work.db, presented)
      await complete({ person: now, link, prepared, work })
    })
    return person
  })
}
