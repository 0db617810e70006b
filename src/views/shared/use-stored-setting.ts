import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const prefix = 'ess-console.view.'

/** Blocked storage: nothing is remembered. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key)
  } catch {
    return null
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, value)
  } catch {
    return
  } finally {
    for (const listener of listeners) listener()
  }
}

/** A setting stored on this device and shared by its tabs. */
export function useStoredSetting(key: string): [value: string | undefined, set: (value: string | undefined) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => null,
  )
  const set = useCallback((next: string | undefined) => write(key, next), [key])
  return [value ?? undefined, set]
}
