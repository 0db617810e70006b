import { pause } from '#providers/pause.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import type { Exclusive } from './exclusive.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import { readSession } from './session-record.ts'

/** Lead time of the refresh before expiry. */
export const refreshLeadMs = 3_000

const callTimeoutMs = 15_000
const otherTabMs = 1_000
const shortLifeMs = 5_000
const maxBackoffMs = 30_000
/** Time until other tabs see the write; until then the lock must not pass to a tab that would read the old token. */
const settleMs = 250

/** Transient statuses below 500: they say nothing about the token. */
const passing = [408, 425, 429]
const isRefusal = (status: number) => status >= 400 && status < 500 && !passing.includes(status)

export type RefreshCall = (token: string, signal: AbortSignal) => Promise<Response>

/** The session interface that the refresher uses. */
export type RefreshTarget = {
  /** Adopts what another tab has stored meanwhile. */
  sync: () => void
  token: () => string | undefined
  leftMs: () => number
  noteDate: (dateHeader: string | null) => void
  save: (session: SessionToken) => void
  logout: (token: string, refusal?: Refusal) => void
  /** Called after each attempt, to schedule the next check. */
  check: () => void
}

export type RefresherOptions = {
  target: RefreshTarget
  call: RefreshCall
  exclusive: Exclusive
  now: () => number
}

/**
 * Refreshes the token in one tab at a time. A rejection ends the session; network and server errors are retried with
 * exponential back-off: 1, 2, 4 … 30 s.
 */
export class TokenRefresher {
  readonly #options: RefresherOptions
  #running = false
  #failures = 0
  #notBefore = 0

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /** Earliest time of the next attempt in epoch ms. */
  get notBefore(): number {
    return this.#notBefore
  }

  /** Resets the back-off: the session changed, or the network is back. */
  reset(): void {
    this.#failures = 0
    this.#notBefore = 0
  }

  /** Starts an attempt unless one is running or the back-off has not elapsed. */
  async attempt(): Promise<void> {
    const { exclusive, now, target } = this.#options
    if (this.#running || now() < this.#notBefore) return
    this.#running = true
    try {
      await exclusive('session-refresh', async (isHolder) => {
        if (isHolder) await this.#renew()
        else this.#waitFor(otherTabMs)
      })
    } catch {
      this.#backOff()
    } finally {
      this.#running = false
      target.check()
    }
  }

  async #renew(): Promise<void> {
    const { target } = this.#options
    target.sync()
    const token = target.token()
    if (!token || target.leftMs() > refreshLeadMs) return
    const { answer, session, refusal } = await this.#call(token)
    // Logged out, or refreshed by another tab, while waiting for the response.
    if (target.token() !== token) return
    if (answer && isRefusal(answer.status)) return target.logout(token, refusal)
    if (!session) return this.#backOff()
    target.save(session)
    if (target.leftMs() <= refreshLeadMs) this.#waitFor(shortLifeMs)
    await pause(settleMs)
  }

  /** A response without a token, such as a proxy's page, counts as none. */
  async #call(token: string): Promise<{ answer?: Response; session?: SessionToken | null; refusal?: Refusal }> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), callTimeoutMs)
    try {
      const answer = await this.#options.call(token, limit.signal)
      this.#options.target.noteDate(answer.headers.get('date'))
      return answer.ok ? { answer, session: readSession(await answer.json()) } : { answer, refusal: await refusalOf(answer) }
    } catch {
      return {}
    } finally {
      clearTimeout(timer)
    }
  }

  #waitFor(ms: number): void {
    this.#notBefore = this.#options.now() + ms
  }

  #backOff(): void {
    const jitter = 0.75 + Math.random() / 2
    this.#waitFor(Math.min(maxBackoffMs, 1_000 * 2 ** this.#failures) * jitter)
    this.#failures += 1
  }
}
