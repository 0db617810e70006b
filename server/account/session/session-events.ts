import { EventEmitter } from 'node:events'

/** Ended sessions: one, or all of a user where no id is given. */
export type SessionEnded = { userId: string; sessionId?: string }

/**
 * Tells this process at once which sessions are over or have a changed user, so that nothing remembered of them is used again.
 * Other processes find out by themselves when their memory of a session is a second old.
 */
export const sessionEvents = new EventEmitter<{ ended: [SessionEnded]; changed: [{ userId: string }] }>()
sessionEvents.setMaxListeners(0)
