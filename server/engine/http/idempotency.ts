import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import type { Caller } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'

/** A replayable response, with its body as serialised. */
export type Answer = { status: 200 | 201 | 202 | 204; body?: unknown }

const keyPattern = /^[\x21-\x7e]{1,200}$/

/** The key of a call, if it has one. Throws 400 for a malformed one. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && keyPattern.test(key)) return key
  throw problem('malformed.idempotency-key')
}

const hashOf = (content: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(content ?? null))
    .digest('hex')

type Kept = { method: string; path: string; bodyHash: string; status: Answer['status']; answer: string | null }

/** The record that the first call has stored: its answer was lost, and the caller has changed what it sends. */
function storedBy({ answer }: Kept): { current?: Record<string, unknown> } {
  const body: unknown = JSON.parse(answer ?? 'null')
  return isObject(body) && body.id !== undefined ? { current: body } : {}
}

/**
 * Claims the key for this request, or returns the response of the last 24 hours. A concurrent call with the same key waits
 * until the first one's transaction ends.
 */
async function take(
  db: Queryable,
  asked: { userId: string; key: string; bodyHash: string; now: Date },
  request: FastifyRequest,
) {
  const { userId, key, bodyHash, now } = asked
  const path = request.url.split('?')[0] ?? ''
  const yesterday = new Date(now.getTime() - dayMs)
  const taken = await rowOf(
    db,
    sql`insert into "idempotency" ("userId", "key", "method", "path", "bodyHash", "createdAt")
      values (${userId}, ${key}, ${request.method}, ${path}, ${bodyHash}, ${now})
      on conflict ("userId", "key") do update set "method" = excluded."method", "path" = excluded."path",
        "bodyHash" = excluded."bodyHash", "createdAt" = excluded."createdAt", "status" = null, "answer" = null
      where "idempotency"."createdAt" < ${yesterday} returning "key"`,
  )
  if (taken) return undefined
  const kept = await rowOf(
    db,
    sql<Kept>`select "method", "path", "bodyHash", "status", "answer" from "idempotency" where "userId" = ${userId} and "key" = ${key}`,
  )
  if (!kept || kept.method !== request.method || kept.path !== path) throw problem('key-reused')
  if (kept.bodyHash !== bodyHash) throw problem('key-reused', storedBy(kept))
  return kept
}

type Once = {
  request: FastifyRequest
  /** Replaces the body in the request's hash when it is binary or contains a password; equal for equal calls. */
  content?: unknown
}

/**
 * Executes a POST once per Idempotency-Key: the same key and body within 24 hours replays the first response, another body is
 * refused (422) with the record that the first has stored. Runs in the transaction of the work, so a refused request leaves its key unused.
 */
export async function onlyOnce(
  { db, caller, now }: { db: Queryable; caller: Caller; now: Date },
  { request, content = request.body }: Once,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = request.method === 'POST' ? idempotencyKeyOf(request) : undefined
  if (key === undefined) return work()
  const { userId } = caller
  const kept = await take(db, { userId, key, bodyHash: hashOf(content), now }, request)
  if (kept) return { status: kept.status, ...(kept.answer === null ? {} : { body: JSON.parse(kept.answer) }) }
  const answer = await work()
  const text = answer.body === undefined ? null : JSON.stringify(answer.body)
  await rowsOf(
    db,
    sql`update "idempotency" set "status" = ${answer.status}, "answer" = ${text} where "userId" = ${userId} and "key" = ${key}`,
  )
  return answer
}

/** Replaces the answer that a key gives: of work that goes on in further transactions. */
export async function settleKey(db: Queryable, userId: string, key: string, body: unknown): Promise<void> {
  await rowsOf(
    db,
    sql`update "idempotency" set "answer" = ${JSON.stringify(body)} where "userId" = ${userId} and "key" = ${key}`,
  )
}

/** Frees a key: the call was refused and may be made again with another body. */
export async function freeKey(db: Queryable, userId: string, key: string): Promise<void> {
  await rowsOf(db, sql`delete from "idempotency" where "userId" = ${userId} and "key" = ${key}`)
}

/** Removes answers that are not given again: they hold whole records, people's among them. */
export async function forgetAnswers(db: Queryable, now: Date): Promise<void> {
  await rowsOf(db, sql`delete from "idempotency" where "createdAt" < ${new Date(now.getTime() - dayMs)}`)
}
