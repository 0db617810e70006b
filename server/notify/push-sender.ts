import type { Language } from '#schema/words.ts'
import type { Note } from './note.ts'

export type { Note }

/** The target of a note. */
export type PushTarget = { deviceId: string; userId: string; pushId: string; language: Language }

/**
 * `gone`: the device will never be reached again. `retry`: the service is away, later it may work. `rejected`: the service did not
 * take it, for the device's or the note's fault.
 */
export type PushResult = 'sent' | 'gone' | 'retry' | 'rejected'

export type PushSender = {
  kind: 'firebase' | 'sse'
  /** Never throws for an answer of the service; `signal` aborts it. */
  send(target: PushTarget, note: Note, signal: AbortSignal): Promise<PushResult>
}
