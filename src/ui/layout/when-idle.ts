import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const idleMs = 2_000

/** Does work once the browser has nothing better to do, after two seconds at the latest. Answers how to do without. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, idleMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: idleMs })
  return () => cancelIdleCallback(handle)
}

/** A component that the screen does without, also for good: fetched once the browser has nothing better to do. */
export const lazyWhenIdle = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(() => new Promise((resolve) => void whenIdle(() => void load().then(resolve, () => resolve({ default: () => null })))))
