import { type ComponentType, use } from 'react'

/** A component whose code comes in a chunk of its own. */
export class LaterCode<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>
  #loaded: ComponentType<P> | undefined
  #awaited: Promise<void> | undefined

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load
  }

  get loaded(): ComponentType<P> | undefined {
    return this.#loaded
  }

  /** Fetches the code. A failure is this caller's alone: the next one asks again. */
  async preload(): Promise<void> {
    this.#loaded ??= await this.#load()
  }

  /** The same promise for every try to draw: a failure is told once, by the error screen. */
  awaited(): Promise<void> {
    this.#awaited ??= this.preload()
    return this.#awaited
  }
}

/**
 * Draws what comes later, at once if it has come. A component of React's `lazy` suspends even then, and what was suspended is drawn in
 * slices and shown up to 300 ms late.
 */
export function Later<P extends object>({ code, props }: { code: LaterCode<P>; props: NoInfer<P> }) {
  if (!code.loaded) use(code.awaited())
  const { loaded: Loaded } = code
  return Loaded && <Loaded {...props} />
}
