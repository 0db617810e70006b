import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadOnline } from './lazy-chunk.tsx'

const idleMs = 2_000

/** Runs work when the browser is idle, after two seconds at the latest. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, idleMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: idleMs })
  return () => cancelIdleCallback(handle)
}

/** A lazy component that loads while the browser is idle and renders nothing when it fails to load. */
export const lazyWhenIdle = <P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(
    () =>
      new Promise(
        (resolve) => void whenIdle(() => void loadOnline(load).then(resolve, () => resolve({ default: () => null }))),
      ),
  )
