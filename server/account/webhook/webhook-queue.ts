import { testEvent } from '#resources/shared/webhook-events.ts'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { DrainLoop } from '#server/notify/drain-loop.ts'
import { notifyWebhookPaused } from './notify-webhook-paused.ts'
import { type Attempt, postMessage } from './post-message.ts'
import { signedHeaders } from './sign-message.ts'
import {
  type DeliveryJob,
  dueWebhooks,
  type Health,
  pauseByItself,
  recordFailure,
  recordSuccess,
  settleDelivery,
  takeDeliveries,
} from './webhook-jobs.ts'
import { secretsOf } from './webhook-secrets.ts'

/** In milliseconds; tests use shorter times. */
export type WebhookTimes = { timeoutMs: number; everyMs: number; claimMs: number }
export const webhookTimes: WebhookTimes = { timeoutMs: 10_000, everyMs: 5_000, claimMs: 30_000 }

const second = 1_000
/** Back-off after failed attempts; the last attempt comes a day after the event. */
export const retryDelaysMs = [
  5 * second,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  10 * hourMs,
] as const
/** Jitter: delays grow by up to this share, so that deliveries do not retry in lockstep. */
const jitter = 0.1
const failingLimitMs = dayMs
const atOnce = 5

type Judged = { webhookId: string; attempt: Attempt; job: DeliveryJob; now: Date }

/** Sends webhook messages. Each webhook has its own loop, so that a receiver that does not respond delays no other. */
export class WebhookQueue {
  readonly #context: ServerContext
  readonly #times: WebhookTimes
  readonly #finder: DrainLoop
  readonly #loops = new Map<string, DrainLoop>()
  readonly #ending = new AbortController()

  constructor(context: ServerContext, times: WebhookTimes) {
    this.#context = context
    this.#times = times
    this.#finder = new DrainLoop({ round: () => this.#find(), failed: this.#failed })
  }

  readonly #failed = (error: unknown) => this.#context.log.warn({ err: error }, 'the queue of webhooks stopped for a moment')

  /** Starts all due work. Never throws. */
  work = (): Promise<void> => this.#finder.work()

  async #find(): Promise<number> {
    const { database, clock } = this.#context
    const due = await dueWebhooks(database.kysely, clock())
    if (this.#ending.signal.aborted) return 0
    for (const { id } of due) {
      const loop = this.#loops.get(id) ?? new DrainLoop({ round: () => this.#round(id), failed: this.#failed })
      this.#loops.set(id, loop)
      void loop.work().then(() => loop.isIdle && this.#loops.delete(id))
    }
    return 0
  }

  async #round(webhookId: string): Promise<number> {
    const { database, clock } = this.#context
    const now = clock()
    const until = new Date(now.getTime() + this.#times.timeoutMs + this.#times.claimMs)
    const jobs = await takeDeliveries(database.kysely, { webhookId, now, until, limit: atOnce })
    await Promise.all(jobs.map((job) => this.#do(webhookId, job)))
    return jobs.length
  }

  async #do(webhookId: string, job: DeliveryJob): Promise<void> {
    const { clock, metrics } = this.#context
    const started = performance.now()
    const attempt = await this.#attempt(webhookId, job)
    // An attempt aborted by shutdown stays queued: the next start repeats it under the same id.
    if (attempt.failure !== undefined && this.#ending.signal.aborted) return
    const judged: Judged = { webhookId, attempt, job, now: clock() }
    const nextAt = attempt.failure === undefined ? null : this.#nextAt(judged)
    await this.#settle(judged, { nextAt, durationMs: Math.round(performance.now() - started) })
    metrics.webhooks.inc({ outcome: attempt.failure === undefined ? 'delivered' : nextAt ? 'retried' : 'given-up' })
  }

  async #attempt(webhookId: string, { id, body, url }: DeliveryJob): Promise<Attempt> {
    const { config, database, clock } = this.#context
    const now = clock()
    const secrets = await secretsOf(database.kysely, { webhookId, now, config })
    if (secrets.length === 0) return { failure: 'SECRET' }
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'ess-console-webhook',
      ...signedHeaders({ id, body }, secrets, now),
    }
    const { timeoutMs } = this.#times
    return postMessage({ url, headers, body, timeoutMs, networks: config.webhookNetworks, signal: this.#ending.signal })
  }

  /** A test is tried once, because its sender is waiting for the result. */
  #nextAt({ job, now }: Judged): Date | null {
    const delayMs = job.event === testEvent ? undefined : retryDelaysMs[job.attempts - 1]
    return delayMs === undefined ? null : new Date(now.getTime() + delayMs * (1 + jitter * Math.random()))
  }

  #settle({ webhookId, attempt, job, now }: Judged, { nextAt, durationMs }: { nextAt: Date | null; durationMs: number }) {
    return inTransaction(this.#context.database, async (db) => {
      const health = await this.#judge(db, { webhookId, attempt, job, now })
      const settled = await settleDelivery(db, { ...attempt, id: job.id, durationMs, now, nextAt })
      const webhook = health && ({ resource: 'webhook', id: webhookId, version: health.version, type: 'updated' } as const)
      const delivery =
        settled && ({ resource: 'webhook-delivery', id: job.id, version: settled.version, type: 'updated' } as const)
      await addEvents(
        db,
        [webhook, delivery].filter((change) => change !== undefined),
        now,
      )
    })
  }

  /**
   * Updates the webhook after an attempt: one that is gone (410), or has failed for a day, is paused, and admins are notified.
   */
  async #judge(db: Queryable, { webhookId, attempt, job, now }: Judged): Promise<Health | undefined> {
    if (attempt.failure === undefined) return recordSuccess(db, webhookId, now)
    if (job.event === testEvent) return undefined
    const health = await recordFailure(db, webhookId, now)
    const isGone = attempt.failure === 'GONE'
    const failingMs = health?.failingSince ? now.getTime() - Date.parse(health.failingSince) : 0
    if (!isGone && failingMs < failingLimitMs) return health
    const reason = isGone ? 'GONE' : 'FAILING'
    const paused = await pauseByItself(db, { webhookId, reason, now })
    if (paused) await notifyWebhookPaused(db, { webhook: paused, reason, now })
    return paused ?? health
  }

  async close(): Promise<void> {
    const closing = [...this.#loops.values()].map((loop) => loop.close())
    this.#ending.abort()
    await Promise.all([this.#finder.close(), ...closing])
  }
}
