import { type ComponentType, lazy, use } from 'react'

/** Loads code. A load that fails without a line is repeated when the line is back, as queries are; any other failure stands. */
export async function loadOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return loadOnline(load)
  }
}

/** React's `lazy` with a load that waits for the line: a rejection would stand until the page is reloaded. */
export const lazyCode: typeof lazy = (load) => lazy(() => loadOnline(load))

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
    this.#awaited ??= loadOnline(() => this.preload())
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
