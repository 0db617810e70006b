import type { ServerContext } from '#server/base/context.ts'
import { jobsLease, Lease } from './lease.ts'

/**
 * Periodic work, done by one process at a time, starting at once or after `firstMs`. It must be idempotent: a lease may be lost
 * unnoticed.
 */
export type Job = { name: string; everyMs: number; firstMs?: number; run: (context: JobContext) => Promise<unknown> }

type LoopContext = Pick<ServerContext, 'database' | 'clock'> & { log: Pick<ServerContext['log'], 'error' | 'warn'> }
/** The context of a job. `signal` aborts long jobs when the server closes. */
export type JobContext = LoopContext & { signal: AbortSignal }

/** Called after each run. */
export type JobObserver = (name: string, run: { ok: boolean; ms: number }) => void

/** Lease times in milliseconds: how long a dead holder blocks the others, and how often a live one renews. */
export type LoopTimes = { leaseMs: number; renewMs: number; tickMs: number }
export const loopTimes: LoopTimes = { leaseMs: 15_000, renewMs: 4_000, tickMs: 500 }

/**
 * Runs the jobs while it holds the lease. Every process has a loop; when the holder dies, another takes over once the lease has
 * expired. A job never overlaps itself in one process; a slow one does not delay the others.
 */
export class JobLoop {
  readonly #context: JobContext
  readonly #end = new AbortController()
  readonly #jobs: readonly Job[]
  readonly #times: LoopTimes
  readonly #lease: Lease
  readonly #onRun: JobObserver
  readonly #running = new Map<string, Promise<void>>()
  readonly #nextMs = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #renewedMs = Number.NEGATIVE_INFINITY
  #isHolder = false
  #ticking: Promise<void> | undefined

  constructor(
    context: LoopContext,
    jobs: readonly Job[],
    { onRun = () => {}, ...times }: Partial<LoopTimes> & { onRun?: JobObserver } = {},
  ) {
    this.#context = { ...context, signal: this.#end.signal }
    this.#jobs = jobs
    this.#times = { ...loopTimes, ...times }
    this.#onRun = onRun
    this.#lease = new Lease(context.database, { name: jobsLease, lifeMs: this.#times.leaseMs })
    const now = performance.now()
    for (const { name, firstMs = 0 } of jobs) this.#nextMs.set(name, now + firstMs)
  }

  start(): void {
    const tick = () => {
      this.#ticking ??= this.#tick().finally(() => {
        this.#ticking = undefined
      })
    }
    this.#timer = setInterval(tick, this.#times.tickMs)
    this.#timer.unref()
    tick()
  }

  async #renew(): Promise<void> {
    const now = performance.now()
    if (now - this.#renewedMs < this.#times.renewMs) return
    try {
      this.#isHolder = await this.#lease.take()
      this.#renewedMs = now
    } catch (error) {
      this.#isHolder = false
      this.#context.log.warn({ err: error }, 'the lease of the jobs could not be renewed')
    }
  }

  async #tick(): Promise<void> {
    await this.#renew()
    if (!this.#isHolder) return
    const now = performance.now()
    for (const job of this.#jobs) {
      if (this.#running.has(job.name) || now < (this.#nextMs.get(job.name) ?? 0)) continue
      this.#nextMs.set(job.name, now + job.everyMs)
      this.#running.set(job.name, this.#run(job))
    }
  }

  async #run({ name, run }: Job): Promise<void> {
    const started = performance.now()
    let ok = true
    try {
      await run(this.#context)
    } catch (error) {
      ok = false
      this.#context.log.error({ err: error, job: name }, 'a job failed')
    } finally {
      this.#running.delete(name)
      this.#onRun(name, { ok, ms: performance.now() - started })
    }
  }

  /** Stops running jobs and releases the lease, so that another process can take over at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#end.abort()
    await this.#ticking
    await Promise.all(this.#running.values())
    if (this.#isHolder) await this.#lease.release()
    this.#isHolder = false
  }
}
