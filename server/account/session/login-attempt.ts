import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { endAttempts, type Limit, takeAttempt, waitFor } from '#server/base/rate-limits.ts'
import { inTransaction } from '#server/db/transaction.ts'

type Counting = Pick<ServerContext, 'database' | 'clock'>

/**
 * Counts a sign-in attempt in its own transaction, so that a refusal does not roll it back. Throws 429 above the limit; returns
 * the attempts, which are deleted after a successful sign-in.
 */
export async function takeLoginAttempt({ database, clock }: Counting, ...tried: readonly Limit[]): Promise<number[]> {
  const { waitS, ids } = await inTransaction(database, (db) => takeAttempt(db, tried, clock()))
  if (waitS > 0) throw problem('too-many-logins', { retryAfterS: waitS })
  return ids
}

/** Longer than any attempt takes. */
const openMs = minuteMs

/** Pauses before a try that attempts under way keep waiting is counted again, in milliseconds. */
const pausesMs = [50, 100, 200, 400, 800, 1_600, 1_600]

/** Attempts of this process that wait under one key: each of them asks the database again and again. */
const mostWaiting = 10
const waiting = new Map<string, number>()

/** Runs a wait that counts under its keys. Throws 429 where enough of them wait. */
async function asWaiting<T>(tried: readonly Limit[], wait: () => Promise<T>): Promise<T> {
  const keys = tried.map(({ key }) => key)
  if (keys.some((key) => (waiting.get(key) ?? 0) >= mostWaiting)) throw problem('too-many', { retryAfterS: 5 })
  for (const key of keys) waiting.set(key, (waiting.get(key) ?? 0) + 1)
  try {
    return await wait()
  } finally {
    for (const key of keys) {
      const left = (waiting.get(key) ?? 1) - 1
      if (left > 0) waiting.set(key, left)
      else waiting.delete(key)
    }
  }
}

async function tryAttempt({ database, clock }: Counting, tried: readonly Limit[]): Promise<number[] | undefined> {
  const now = clock()
  const openUntil = new Date(now.getTime() + openMs)
  const { waitS, ids } = await inTransaction(database, (db) => takeAttempt(db, tried, now, openUntil))
  if (waitS === 0) return ids
  const failedS = await waitFor(database.kysely, tried, clock())
  if (failedS > 0) throw problem('too-many-logins', { retryAfterS: failedS })
  return undefined
}

/** Above the limit an attempt waits for those under way, which may succeed; each is counted before it is looked at. */
async function takeOpenAttempt(counting: Counting, tried: readonly Limit[]): Promise<number[]> {
  const first = await tryAttempt(counting, tried)
  if (first) return first
  return asWaiting(tried, async () => {
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs)
      const ids = await tryAttempt(counting, tried)
      if (ids) return ids
    }
    throw problem('too-many', { retryAfterS: 5 })
  })
}

/** Runs an attempt that counts as failed only when it throws. Throws 429 above the limit. */
export async function withLoginAttempt<T>(
  counting: Counting,
  tried: readonly Limit[],
  attempt: (ids: readonly number[]) => Promise<T>,
): Promise<T> {
  const ids = await takeOpenAttempt(counting, tried)
  try {
    return await attempt(ids)
  } catch (error) {
    await endAttempts(counting.database.kysely, ids)
    throw error
  }
}
