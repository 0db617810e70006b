import { useSyncExternalStore } from 'react'
import { isReached } from '#shell/reach/server-reach.ts'

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
    if (!isReached()) return
    isStale = true
    for (const listener of listeners) listener()
  })
}

/** True when a newer version is deployed. */
export const useIsStale = (): boolean => useSyncExternalStore(subscribe, () => isStale)

/** True for a failed chunk load that tells of a newer version. */
export const isChunkFailure = (error: unknown): boolean =>
  isReached() && error instanceof Error && chunkFailure.test(error.message)
