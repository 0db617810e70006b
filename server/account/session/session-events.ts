import { EventEmitter } from 'node:events'

/** Ended sessions: one, or all of a user when no id is given. */
export type SessionEnded = { userId: string; sessionId?: string }

/**
 * Invalidates this process's session cache at once when sessions end or their user changes. Other processes notice when their
 * cache entries expire after a second.
 */
export const sessionEvents = new EventEmitter<{ ended: [SessionEnded]; changed: [{ userId: string }] }>()
sessionEvents.setMaxListeners(0)
