import { useSyncExternalStore } from 'react'

let unreachedSinceMs: number | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Takes the moment since which the server has not answered; undefined = it does. */
export function noteReach(sinceMs: number | undefined): void {
  unreachedSinceMs = sinceMs
  for (const listener of listeners) listener()
}

/** False without a network or while the server does not answer: then code fails to load, also what the server still has. */
export const isReached = (): boolean => navigator.onLine && unreachedSinceMs === undefined

/** The moment since which the server has not answered, in epoch ms by its own clock; undefined while it does. */
export const useUnreachedSince = (): number | undefined => useSyncExternalStore(subscribe, () => unreachedSinceMs)
