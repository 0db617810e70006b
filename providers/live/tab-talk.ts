import type { LiveMessage } from './live-message.ts'

/** What the tab that reads the stream tells the others; with `to`, one of them only. A tab that has just come asks for the latest. */
type Talk =
  | { kind: 'told'; userId: string; messages: readonly LiveMessage[]; to?: string }
  | { kind: 'asked'; userId: string; from: string }

export type TabTalkOptions = {
  name: string
  /** Whose events these are: tabs of somebody else do not listen. */
  userId: string
  onMessages: (messages: readonly LiveMessage[]) => void
  now?: () => number
}

/** A page has read its data at most about this long before it begins to listen. */
const keptMs = 60_000
const keptMax = 500

/**
 * How the tabs of one browser share what one of them reads. Each remembers the last minute, so that whoever reads can tell a new tab
 * what happened between its first answer and now.
 */
export class TabTalk {
  /** Whether this tab reads the stream, and so answers those that ask. */
  isReader = false
  readonly #options: TabTalkOptions
  readonly #id = `${Math.random()}`
  readonly #channel: BroadcastChannel | undefined
  #kept: { at: number; message: LiveMessage }[] = []
  #isCut = false

  constructor(options: TabTalkOptions) {
    this.#options = options
    if (typeof BroadcastChannel === 'undefined') return
    this.#channel = new BroadcastChannel(options.name)
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Talk>) => this.#hear(data))
    this.#post({ kind: 'asked', userId: options.userId, from: this.#id })
  }

  /** Hands on what the stream has brought. */
  tell(messages: readonly LiveMessage[]): void {
    const { userId, onMessages } = this.#options
    this.#post({ kind: 'told', userId, messages })
    this.#keep(messages)
    onMessages(messages)
  }

  close(): void {
    this.#channel?.close()
  }

  #hear(talk: Talk): void {
    const { userId, onMessages } = this.#options
    if (talk.userId !== userId) return
    if (talk.kind === 'asked') {
      if (this.isReader) this.#post({ kind: 'told', userId, to: talk.from, messages: this.#latest() })
      return
    }
    if (talk.to !== undefined && talk.to !== this.#id) return
    this.#keep(talk.messages)
    onMessages(talk.messages)
  }

  /** Notes are shown by whoever was there; where more happened than was kept, the new tab reads everything again. */
  #latest(): LiveMessage[] {
    return this.#isCut ? [{ kind: 'reset' }] : this.#kept.map(({ message }) => message).filter(({ kind }) => kind === 'change')
  }

  #keep(messages: readonly LiveMessage[]): void {
    const now = (this.#options.now ?? Date.now)()
    const fresh = this.#kept.filter(({ at }) => at > now - keptMs)
    if (fresh.length === 0) this.#isCut = false
    const all = [...fresh, ...messages.map((message) => ({ at: now, message }))]
    if (all.length > keptMax) this.#isCut = true
    this.#kept = all.slice(-keptMax)
  }

  #post(talk: Talk): void {
    this.#channel?.postMessage(talk)
  }
}
