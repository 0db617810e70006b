/** What a person is told, in the language on screen. `link` is a path of the console. */
export type PushNote = { id: string; title: string; body: string; link: string | null }

/** How notes reach this browser when nobody looks at the console. */
export interface PushTransport {
  readonly kind: 'firebase' | 'sse'
  /** Registers the browser; resolves with its push id. Notes for the open page go to `onNote`. Rejects with a reason to show. */
  start(onNote: (note: PushNote) => void): Promise<string>
  /** Takes a note of the event stream, in the one tab that reads it. False = the tabs have to tell each other. */
  deliver(note: PushNote): boolean
  stop(): Promise<void>
}
