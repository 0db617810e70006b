/**
 * Single-flight: concurrent callers share one run. A caller that arrives during a run joins the next one, so the work runs at
 * most twice for any number of callers and never answers with data older than the call.
 */
export class SingleFlight<T> {
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  get isIdle(): boolean {
    return this.#running === undefined
  }

  of(work: () => Promise<T>): Promise<T> {
    if (!this.#running) return this.#start(work)
    const again = () => {
      this.#next = undefined
      return this.#start(work)
    }
    this.#next ??= this.#running.then(again, again)
    return this.#next
  }

  #start(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#running = running
    const end = () => {
      if (this.#running === running && !this.#next) this.#running = undefined
    }
    running.then(end, end)
    return running
  }
}
