import { createHash } from 'node:crypto'
import type { Value } from '#server/frames/wire-field.ts'
import type { Part } from './board-line.ts'

/** An update in the server's desired state. */
export type WantedUpdate = { id: string; toVersion: string; sizeBytes: number; sha256: string; status: string }

type Step = { state: string; lastsS: number; reports: number }

/** Timing of an update: seconds in each state and between reports. */
const course: readonly Step[] = [
  { state: 'DOWNLOADING', lastsS: 45, reports: 9 },
  { state: 'VERIFYING', lastsS: 5, reports: 1 },
  { state: 'INSTALLING', lastsS: 12, reports: 2 },
  { state: 'REBOOTING', lastsS: 15, reports: 1 },
]

/** The injected failure, if any. */
export type UpdateTrouble = 'FAILS' | 'ROLLS_BACK' | undefined

export type Progress = Readonly<Record<string, Value>>
export type UpdateNews = { progress?: Progress; boots?: 'new' | 'old'; done?: true }

const failsAtPct = 60

/** A running update: returns the next report for a given time. */
export class BoardUpdate {
  readonly wanted: WantedUpdate
  readonly #trouble: UpdateTrouble
  #step: number
  #since: number
  #reported = 0
  #image: Buffer[] = []
  #loaded = 0
  #hasDownloaded = false

  constructor(wanted: WantedUpdate, trouble: UpdateTrouble, nowMs: number) {
    this.wanted = wanted
    this.#trouble = trouble
    // An interrupted board resumes at the state known to the server.
    this.#step = Math.max(
      0,
      course.findIndex(({ state }) => state === wanted.status),
    )
    this.#since = nowMs
  }

  /** The chunk of the image needed for the next report. */
  partAt(nowMs: number): Part | undefined {
    const { id: updateId, sizeBytes, sha256 } = this.wanted
    const step = course[this.#step]
    if (step?.state !== 'DOWNLOADING' || nowMs < this.dueMs) return undefined
    const to = Math.round(sizeBytes * Math.min(1, this.#reported / step.reports))
    return to > this.#loaded ? { updateId, from: this.#loaded, to, sha256 } : undefined
  }

  take(bytes: Buffer): void {
    this.#image.push(bytes)
    this.#loaded += bytes.length
  }

  /** The verified image is lost when the board is interrupted. */
  get #isDamaged(): boolean {
    const hash = createHash('sha256')
    for (const bytes of this.#image) hash.update(bytes)
    return this.#hasDownloaded && hash.digest('hex') !== this.wanted.sha256
  }

  get isSilent(): boolean {
    return course[this.#step]?.state === 'REBOOTING' && this.#reported > 0
  }

  #frame(state: string, progressPct: number, failure: string | null = null): Progress {
    const { id, toVersion, sizeBytes } = this.wanted
    const receivedB = state === 'DOWNLOADING' ? Math.round((sizeBytes * progressPct) / 100) : sizeBytes
    return { updateId: id, state, progressPct, receivedB, failure, toVersion }
  }

  /** True while the server may still cancel the update. */
  get canBeCanceled(): boolean {
    return this.#step < 2
  }

  cancel(): UpdateNews {
    return { progress: this.#frame('CANCELED', 0, 'USER'), done: true }
  }

  /** Time of the next report in epoch milliseconds. */
  get dueMs(): number {
    const step = course[this.#step]
    if (!step) return this.#since
    return this.#reported === 0 ? this.#since : this.#since + (1000 * step.lastsS * this.#reported) / step.reports
  }

  next(nowMs: number): UpdateNews {
    const step = course[this.#step]
    if (!step) return { boots: this.#trouble === 'ROLLS_BACK' ? 'old' : 'new', done: true }
    const isOver = this.#reported >= step.reports
    if (step.state === 'DOWNLOADING') this.#hasDownloaded = true
    if (isOver) {
      if (step.state === 'VERIFYING' && this.#isDamaged) return { progress: this.#frame('FAILED', 100, 'CHECKSUM'), done: true }
      this.#step += 1
      this.#since = nowMs
      this.#reported = 0
      return this.next(nowMs)
    }
    const pct = Math.round((100 * this.#reported) / step.reports)
    this.#reported += 1
    if (this.#trouble === 'FAILS' && step.state === 'DOWNLOADING' && pct >= failsAtPct)
      return { progress: this.#frame('FAILED', pct, 'CHECKSUM'), done: true }
    return { progress: this.#frame(step.state, pct) }
  }
}
