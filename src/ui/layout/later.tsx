import { type ComponentType, use } from 'react'

/** A component whose code comes in a chunk of its own. */
export class LaterCode<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>
  #loaded: ComponentType<P> | undefined
  #awaited: Promise<ComponentType<P>> | undefined

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load
  }

  /** Fetches the code. A failure is this caller's alone: the next one asks again. */
  async preload(): Promise<ComponentType<P>> {
    this.#loaded ??= await this.#load()
    return this.#loaded
  }

  /** The component, if it came before it was first drawn; else one promise for every try to draw, so that a failure is told once. */
  read(): ComponentType<P> | Promise<ComponentType<P>> {
    if (this.#loaded && !this.#awaited) return this.#loaded
    this.#awaited ??= this.preload()
    return this.#awaited
  }
}

/**
 * Draws what comes later, at once if it has come. A component of React's `lazy` suspends even then, and what was suspended is drawn in
 * slices and shown up to 300 ms late.
 */
export function Later<P extends object>({ code, props }: { code: LaterCode<P>; props: NoInfer<P> }) {
  const read = code.read()
  const Loaded = read instanceof Promise ? use(read) : read
  return <Loaded {...props} />
}
