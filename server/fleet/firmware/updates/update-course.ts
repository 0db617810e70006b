import type { Queryable } from '#server/db/query.ts'
import { effectOf, type ProgressReport } from './report-progress.ts'
import type { Update } from './update-rows.ts'
import { type Move, moveUpdate, type Progress, recordProgress } from './update-store.ts'

const none: Progress = { progressPct: null, bytesSent: null, confirmedPackets: null }

const laterOf = (before: Progress, after: Progress): Progress => ({
  progressPct: after.progressPct ?? before.progressPct,
  bytesSent: after.bytesSent ?? before.bytesSent,
  confirmedPackets: after.confirmedPackets ?? before.confirmedPackets,
})

const isOpen = (update: Update | undefined): update is Update =>
  update !== undefined && !update.finishedAt && update.status !== 'SCHEDULED'

/**
 * An update while the frames of a batch are followed. Write-behind: progress within a state is written once, before the state
 * ends or after the last frame, because a board that was silent sends thousands of frames at once.
 */
export class UpdateCourse {
  readonly #db: Queryable
  readonly #now: Date
  #update: Update | undefined
  #progress: Progress | undefined

  constructor(db: Queryable, update: Update | undefined, now: Date) {
    this.#db = db
    this.#update = update
    this.#now = now
  }

  /** The update, unless it is over or has not begun. */
  get open(): Update | undefined {
    return isOpen(this.#update) ? this.#update : undefined
  }

  /** Packets that count towards the confirmation, with those of this batch. */
  get confirmedPackets(): number {
    return this.#progress?.confirmedPackets ?? this.#update?.confirmedPackets ?? 0
  }

  progress(news: Partial<Progress>): void {
    this.#progress = laterOf(this.#progress ?? none, { ...none, ...news })
  }

  async move(move: Move): Promise<void> {
    await this.write()
    if (this.#update) this.#update = await moveUpdate(this.#db, this.#update, move, this.#now)
  }

  /** Applies a report of the board. False when its transition is not allowed. */
  async report(report: ProgressReport): Promise<boolean> {
    const effect = this.open && effectOf(this.open, report)
    if (effect?.move) await this.move(effect.move)
    else if (effect) this.progress(effect.progress)
    return effect !== undefined
  }

  /** Writes the progress that is not written yet. */
  async write(): Promise<void> {
    if (this.#update && this.#progress) this.#update = await recordProgress(this.#db, this.#update, this.#progress, this.#now)
    this.#progress = undefined
  }
}
