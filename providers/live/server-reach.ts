import { presentMs } from '#schema/format/present-time.ts'

export type ServerReachOptions = {
  /** True when the server answers: a stream may also be cut by something between. */
  probe: () => Promise<boolean>
  /** Called with the moment since which the server has not been reached, and with undefined when it is. */
  onChange: (sinceMs: number | undefined) => void
  /** True where the leader tab before has lost it. */
  isLost?: boolean
  /** Longer than a restart of the server, which is not reported. */
  graceMs?: number
}

const graceMs = 10_000

/** Judges by the event stream of the leader tab whether the server is reached. Its reconnections are the probes. */
export class ServerReach {
  readonly #options: ServerReachOptions
  #heardMs = presentMs()
  #isLost: boolean
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ServerReachOptions) {
    this.#options = options
    this.#isLost = options.isLost ?? false
  }

  /** The stream has connected, or said something. */
  heard(): void {
    const wasLost = this.#isLost
    this.#heardMs = presentMs()
    this.#cancel()
    this.#isLost = false
    if (wasLost) this.#options.onChange(undefined)
  }

  /** A connection has broken, or could not be opened. */
  lost(): void {
    if (this.#isLost) {
      // The first judgement waits for its time.
      if (this.#timer === undefined) void this.#judge()
      return
    }
    this.#isLost = true
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#judge()
    }, this.#options.graceMs ?? graceMs)
  }

  /** Says nothing more, whatever a probe that is under way finds. */
  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #judge(): Promise<void> {
    const heardMs = this.#heardMs
    const answers = await this.#options.probe()
    if (this.#isStopped || !this.#isLost || heardMs !== this.#heardMs) return
    if (answers) this.heard()
    else this.#options.onChange(heardMs)
  }
}
