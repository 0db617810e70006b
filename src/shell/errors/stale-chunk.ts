import { useSyncExternalStore } from 'react'

/** Browser messages for a failed module fetch. */
const chunkFailure = /dynamically imported module|importing a module script|failed to fetch.*module|unable to preload css/i

let isStale = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Detects missing chunks after a newer version was deployed. */
export function watchStaleChunks(): void {
  window.addEventListener('vite:preloadError', () => {
    // Without a line every part fails to load, also those that the server still has.
    if (!navigator.onLine) return
    isStale = true
    for (const listener of listeners) listener()
  })
}

/** True when a newer version is deployed. */
export const useIsStale = (): boolean => useSyncExternalStore(subscribe, () => isStale)

/** True for a failed chunk load; while offline it says nothing about versions. */
export const isChunkFailure = (error: unknown): boolean =>
  navigator.onLine && error instanceof Error && chunkFailure.test(error.message)
