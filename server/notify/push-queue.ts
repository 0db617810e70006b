import type { ServerContext } from '#server/base/context.ts'
import { withTimeLimit } from '#server/base/time-limit.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordFailed, recordSent } from './device-store.ts'
import { DrainLoop } from './drain-loop.ts'
import { delayPushJob, type PushJob, removePushJob, takePushJobs } from './push-jobs.ts'
import type { PushResult, PushSender } from './push-sender.ts'
import { recordLostPush } from './undelivered.ts'

/** In milliseconds; tests use shorter times. */
export type PushTimes = { timeoutMs: number; retryMs: number; everyMs: number }
export const pushTimes: PushTimes = { timeoutMs: 15_000, retryMs: 10_000, everyMs: 5_000 }

const atOnce = 10
const attemptsMax = 5

/** Sends queued pushes. Several processes may share the queue, since each claims its own jobs. */
export class PushQueue {
  readonly #context: ServerContext
  readonly #sender: PushSender
  readonly #times: PushTimes
  readonly #loop: DrainLoop
  readonly #ending = new AbortController()

  constructor(context: ServerContext, sender: PushSender, times: PushTimes) {
    this.#context = context
    this.#sender = sender
    this.#times = times
    this.#loop = new DrainLoop({
      round: () => this.#round(),
      failed: (error) => context.log.warn({ err: error }, 'the push queue stopped for a moment'),
    })
  }

  /** Sends everything due. Never throws. */
  work = (): Promise<void> => this.#loop.work()

  async #round(): Promise<number> {
    const { database, clock } = this.#context
    const now = clock()
    const until = new Date(now.getTime() + 2 * this.#times.timeoutMs + this.#times.retryMs)
    const jobs = await takePushJobs(database.kysely, { now, until, limit: atOnce })
    await Promise.all(jobs.map((job) => this.#do(job)))
    return jobs.length
  }

  async #do(job: PushJob): Promise<void> {
    const { deviceId, userId, pushId, language, note } = job
    const limit = { signal: this.#ending.signal, timeoutMs: this.#times.timeoutMs }
    const target = { deviceId, userId, pushId, language: language ?? 'en' }
    const result = await withTimeLimit(limit, (signal) => this.#sender.send(target, note, signal))
    // A send that the shutdown aborts stays in the queue.
    if (result !== 'retry' || !this.#loop.isClosed) await this.#settle(job, result)
  }

  async #settle({ id, deviceId, userId, attempts }: PushJob, result: PushResult): Promise<void> {
    const { database, clock, log } = this.#context
    const { kysely } = database
    const now = clock()
    if (result === 'retry' && attempts < attemptsMax) {
      const waitMs = this.#times.retryMs * 2 ** (attempts - 1) * (0.5 + Math.random())
      return delayPushJob(kysely, id, new Date(now.getTime() + waitMs))
    }
    if (result === 'sent') await recordSent(kysely, deviceId, now)
    // An unavailable service says nothing about the device.
    else if (result === 'retry') {
      log.warn({ deviceId }, 'a push was given up')
      await inTransaction(database, (db) => recordLostPush(db, { userId, attempts, failure: 'UNREACHABLE', now }))
    } else await recordFailed(kysely, { deviceId, isGone: result === 'gone', now })
    await removePushJob(kysely, id)
  }

  async close(): Promise<void> {
    const closed = this.#loop.close()
    this.#ending.abort()
    await closed
  }
}
