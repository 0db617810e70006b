import { useSyncExternalStore } from 'react'

/** How browsers say that a module could not be fetched. */
const chunkFailure = /dynamically imported module|importing a module script|failed to fetch.*module|unable to preload css/i

let isStale = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Hears of parts of the page that are no longer on the server, because a newer version stands there. */
export function watchStaleChunks(): void {
  window.addEventListener('vite:preloadError', () => {
    isStale = true
    for (const listener of listeners) listener()
  })
}

/** Whether this page is older than the server's. */
export const useIsStale = (): boolean => useSyncExternalStore(subscribe, () => isStale)

/** Whether an error is a part that could not be loaded. Without a network that says nothing about versions. */
export const isChunkFailure = (error: unknown): boolean =>
  navigator.onLine && error instanceof Error && chunkFailure.test(error.message)
