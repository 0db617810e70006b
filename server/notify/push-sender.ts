import type { Language } from '#schema/words.ts'
import type { Note } from './note.ts'

export type { Note }

/** The target of a note. */
export type PushTarget = { deviceId: string; userId: string; pushId: string; language: Language }

/**
 * `gone`: the device is unreachable for good. `retry`: the service is temporarily unavailable. `rejected`: the service refused
 * the device or the message.
 */
export type PushResult = 'sent' | 'gone' | 'retry' | 'rejected'

export type PushSender = {
  kind: 'firebase' | 'sse'
  /** Never throws for a response of the service; `signal` aborts the call. */
  send(target: PushTarget, note: Note, signal: AbortSignal): Promise<PushResult>
}
