import type { Tone } from '#schema/field-types.ts'

/** A notification in the current language. `link` is a path of the console. */
export type PushNote = { id: string; title: string; body: string; tone: Tone; link: string | null }

/** Delivery of notifications to this browser while no page is open. */
export interface PushTransport {
  readonly kind: 'firebase' | 'sse'
  /**
   * Registers the browser; resolves with its push id. `onNote` receives notifications for the open page. Rejects with a reason
   * to show.
   */
  start(onNote: (note: PushNote) => void): Promise<string>
  /** Handles a notification of the event stream in the leader tab. False = the page must show it. */
  deliver(note: PushNote): boolean
  stop(): Promise<void>
}
