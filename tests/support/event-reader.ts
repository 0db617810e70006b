import { vi } from 'vitest'

export type ReadEvent = { id: string; signal: string; data: Record<string, unknown> }

/** A browser that reads a live stream: everything that arrives is kept in order. */
export class EventReader {
  readonly status: number
  readonly headers: Headers
  readonly refusal: Record<string, unknown>
  /** Milliseconds until the first byte. */
  firstByteMs = -1
  readonly events: ReadEvent[] = []
  comments = 0
  ended = false
  readonly #abort: AbortController

  private constructor(response: Response, abort: AbortController, refusal: Record<string, unknown>) {
    this.status = response.status
    this.headers = response.headers
    this.refusal = refusal
    this.#abort = abort
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const abort = new AbortController()
    const started = performance.now()
    const response = await fetch(url, { headers, signal: abort.signal })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    const refusal = isStream ? {} : ((await response.json()) as Record<string, unknown>)
    const reader = new EventReader(response, abort, refusal)
    if (isStream) void reader.#read(response, started)
    else reader.ended = true
    return reader
  }

  async #read(response: Response, started: number) {
    let held = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        if (this.firstByteMs < 0) this.firstByteMs = performance.now() - started
        held += decoder.decode(chunk, { stream: true })
        const frames = held.split('\n\n')
        held = frames.pop() ?? ''
        for (const frame of frames) this.#take(frame)
      }
    } catch {
      // Cut off from either side.
    }
    this.ended = true
  }

  #take(frame: string) {
    const lines = frame.split('\n')
    const lineOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
    if (lines.every((line) => line.startsWith(':'))) this.comments += 1
    else this.events.push({ id: lineOf('id'), signal: lineOf('event'), data: JSON.parse(lineOf('data')) })
  }

  /** Events of records and notes to the user, without the stream's own signals. */
  get told(): Record<string, unknown>[] {
    return this.events.filter(({ signal }) => signal === '').map(({ data }) => data)
  }
  get lastId(): string {
    return this.events.at(-1)?.id ?? ''
  }

  async until(test: (reader: this) => boolean, timeout = 5_000): Promise<this> {
    await vi.waitFor(
      () => {
        if (!test(this)) throw new Error(`the stream has told ${JSON.stringify(this.events.slice(-5))}`)
      },
      { timeout, interval: 10 },
    )
    return this
  }
  ready = () => this.until(({ events }) => events.some(({ signal }) => signal === 'ready' || signal === 'reset'))
  close = () => this.#abort.abort()
}
