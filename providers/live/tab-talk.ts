import { openChannel } from '#providers/session/tab-channel.ts'
import { minuteMs } from '#schema/format/durations.ts'
import type { LiveMessage } from './live-message.ts'

/** Messages from the leader tab to the others, or with `to` to one of them. A new tab requests the latest events. */
type Talk =
  | { kind: 'told'; userId: string; messages: readonly LiveMessage[]; to?: string }
  | { kind: 'asked'; userId: string; from: string }

export type TabTalkOptions = {
  name: string
  /** User of the events: tabs of another user ignore them. */
  userId: string
  onMessages: (messages: readonly LiveMessage[]) => void
  now?: () => number
}

/** Upper bound of the time between a page's first response and its subscription. */
const keptMs = minuteMs
const keptMax = 500

/**
 * Event sharing between tabs. Each keeps the last minute, so that a leader can replay the events between a new tab's first
 * answer and now.
 */
export class TabTalk {
  /** True in the leader tab, which answers requests. */
  isReader = false
  readonly #options: TabTalkOptions
  readonly #id = `${Math.random()}`
  readonly #channel: BroadcastChannel | undefined
  #kept: { at: number; message: LiveMessage }[] = []
  #isCut = false

  constructor(options: TabTalkOptions) {
    this.#options = options
    this.#channel = openChannel(options.name)
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<Talk>) => this.#hear(data))
    this.#post({ kind: 'asked', userId: options.userId, from: this.#id })
  }

  /** Broadcasts stream messages. */
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

  /** Without notifications, which the present tabs have shown. When the buffer was cut, the new tab reloads everything. */
  #latest(): LiveMessage[] {
    if (this.#isCut) return [{ kind: 'reset' }]
    return this.#kept
      .map(({ message }) => message)
      .filter(({ kind }) => kind === 'change' || kind === 'merged' || kind === 'reach')
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
