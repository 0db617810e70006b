import { exclusiveByLease, exclusiveByLocks } from './exclusive.ts'
import { pageLanguage } from './refusal.ts'
import type { KeyValueStorage, SessionEnvironment, WakeReason } from './session-environment.ts'
import { type SessionOptions, SessionStore } from './session-store.ts'
import { storageKeys } from './storage-keys.ts'
import { createTabChannel, openChannel } from './tab-channel.ts'
import type { RefreshCall } from './token-refresher.ts'

/** The storage, or memory for what the browser blocks or has no room for: that lives as long as its tab. */
export function usableStorage(find: () => Storage): KeyValueStorage {
  const memory = new Map<string, string>()
  const tried = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(find())
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => memory.get(key) ?? tried((storage) => storage.getItem(key)) ?? null,
    setItem(key, value) {
      memory.set(key, value)
      tried((storage) => {
        storage.setItem(key, value)
        memory.delete(key)
      })
    },
    removeItem(key) {
      memory.delete(key)
      tried((storage) => storage.removeItem(key))
    },
  }
}

function onBrowserWake(listener: (reason: WakeReason) => void): () => void {
  const onShown = () => document.visibilityState === 'visible' && listener('shown')
  const onOnline = () => listener('online')
  document.addEventListener('visibilitychange', onShown)
  for (const event of ['focus', 'pageshow']) window.addEventListener(event, onShown)
  window.addEventListener('online', onOnline)
  return () => {
    document.removeEventListener('visibilitychange', onShown)
    for (const event of ['focus', 'pageshow']) window.removeEventListener(event, onShown)
    window.removeEventListener('online', onOnline)
  }
}

function browserEnvironment(): SessionEnvironment {
  const storage = usableStorage(() => localStorage)
  const messages = openChannel(storageKeys.session)
  const locks: LockManager | undefined = navigator.locks
  return {
    storage,
    tabStorage: usableStorage(() => sessionStorage),
    tabs: createTabChannel({ messages, storageEvents: window, key: storageKeys.session }),
    exclusive: locks ? exclusiveByLocks(locks) : exclusiveByLease({ storage, key: storageKeys.lease, now: Date.now }),
    now: Date.now,
    hasFocus: () => document.hasFocus(),
    reload: () => location.reload(),
    onWake: onBrowserWake,
  }
}

/** Refreshes the token over fetch: requests of the HTTP client wait for this refresh. */
export const refreshByFetch =
  (baseUrl = '/api'): RefreshCall =>
  (token, signal) =>
    fetch(`${baseUrl}/auth/refresh`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...pageLanguage() },
      signal,
      cache: 'no-store',
    })

/** The session of this browser; call `start()` once before the first render. */
export function createBrowserSession(options: Omit<SessionOptions, 'environment' | 'refresh'>): SessionStore {
  return new SessionStore({ ...options, environment: browserEnvironment(), refresh: refreshByFetch() })
}
