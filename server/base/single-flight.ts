/**
 * Work that many ask for at the same moment. Who comes while it runs waits for the next run, together with all who come meanwhile:
 * it is done at most twice for any number of them, and nobody is told of a time before he asked.
 */
export class Together<T> {
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

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
