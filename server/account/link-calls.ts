import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '#server/base/problems.ts'
import { limits, takeAttempt, waitFor } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { consumeLink, type Link, type LinkKind, peekLink } from './link.ts'
import { type Person, personById } from './user-store.ts'

/** Makes a person the one who calls: who holds the secret of a link acts as the one to whom it was mailed. */
function actAs(request: FastifyRequest, { id, email, role, firstName, lastName, language }: Person): void {
  const user = { id, email, role, firstName: firstName ?? '', lastName: lastName ?? '', language, timezone: null }
  request.caller = { userId: id, role, sessionId: '', email, user }
}

/** Runs work as a person who is not signed in but is known otherwise. */
export function runAs<T>(
  tools: RecordTools,
  request: FastifyRequest,
  person: Person,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  actAs(request, person)
  return tools.run(request, work)
}

/** Guessing of secrets is slowed down: too many dead links from one address are 429. */
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
  /** Whether the link still has a point for this person; otherwise it is dead. */
  serves: (person: Person) => boolean
  /** What is slow or may be refused without using the link up: it runs before the transaction. */
  prepare: (person: Person, link: Link) => Promise<Prepared>
  /** The change, in one transaction with the using up of the link. */
  complete: (call: { person: Person; link: Link; prepared: Prepared; work: Work }) => Promise<void>
}

/** Runs a call of somebody who came by a mailed link. 410 when the link is dead in any way, 429 after too many of them. */
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
      await consumeLink(work.db, presented)
      await complete({ person, link, prepared, work })
    })
    return person
  })
}
