import { type ComponentType, use } from 'react'

/** A component in its own chunk. */
export class LazyChunk<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>
  #loaded: ComponentType<P> | undefined
  #awaited: Promise<ComponentType<P>> | undefined

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load
  }

  /** Loads the chunk. A failure is not cached: the next call retries. */
  async preload(): Promise<ComponentType<P>> {
    this.#loaded ??= await this.#load()
    return this.#loaded
  }

  /**
   * The component when it was preloaded, else one promise shared by all render attempts, so that a failure is reported once.
   */
  read(): ComponentType<P> | Promise<ComponentType<P>> {
    if (this.#loaded && !this.#awaited) return this.#loaded
    this.#awaited ??= this.preload()
    return this.#awaited
  }
}

/**
 * Renders a chunk, at once when it is already loaded. React's `lazy` suspends even then, and React shows suspended content in
 * slices, up to 300 ms late.
 */
export function LazyView<P extends object>({ code, props }: { code: LazyChunk<P>; props: NoInfer<P> }) {
  const read = code.read()
  const Loaded = read instanceof Promise ? use(read) : read
  return <Loaded {...props} />
}
