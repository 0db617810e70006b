import { exclusiveByLease, exclusiveByLocks } from '#providers/session/exclusive.ts'
import type { KeyValueStorage, WakeReason } from '#providers/session/session-environment.ts'
import { SessionStore } from '#providers/session/session-store.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { createTabChannel } from '#providers/session/tab-channel.ts'
import type { RefreshCall } from '#providers/session/token-refresher.ts'
import type { SessionToken, SessionUser } from '#schema/wire/wire.ts'

const admin: SessionUser = {
  id: '1',
  email: 'admin@example.com',
  role: 'admin',
  firstName: 'Ada',
  lastName: 'Byron',
  language: 'en',
  timezone: null,
}

/** A token object that lives for `lifeS` seconds from now. */
export function tokenObject(accessToken: string, lifeS = 60, user: Partial<SessionUser> = {}): SessionToken {
  return { accessToken, accessTokenExpired: Date.now() / 1_000 + lifeS, user: { ...admin, ...user } }
}

export function jsonAnswer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { date: new Date().toUTCString() } })
}

export function memoryStorage(entries = new Map<string, string>()): KeyValueStorage {
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

type Peer = { messages: EventTarget; storageEvents: EventTarget }

class FakeStorageEvent extends Event {
  readonly key: string | null
  readonly newValue: string | null
  constructor(key: string | null, newValue: string | null) {
    super('storage')
    this.key = key
    this.newValue = newValue
  }
}

function fakeLocks() {
  const held = new Set<string>()
  return {
    request: async (name: string, _options: LockOptions, work: (lock: Lock | null) => Promise<unknown>) => {
      if (held.has(name)) return work(null)
      held.add(name)
      try {
        return await work({ name, mode: 'exclusive' })
      } finally {
        held.delete(name)
      }
    },
  }
}

export type TabOptions = {
  refresh?: RefreshCall
  focused?: boolean
  isDirty?: () => boolean
}

/** A browser whose tabs share a storage, messages and locks; each of the three may be missing. */
export function fakeBrowser({ hasMessages = true, hasStorageEvents = true, hasLocks = true } = {}) {
  const entries = new Map<string, string>()
  const peers = new Set<Peer>()
  const locks = fakeLocks()
  const others = (own: Peer) => [...peers].filter((peer) => peer !== own)
  const later = (deliver: () => void) => void setTimeout(deliver, 5)

  const storageOf = (own: Peer): KeyValueStorage => {
    const tell = (key: string, value: string | null) => {
      if (!hasStorageEvents) return
      for (const { storageEvents } of others(own)) later(() => storageEvents.dispatchEvent(new FakeStorageEvent(key, value)))
    }
    const storage = memoryStorage(entries)
    return {
      getItem: storage.getItem,
      setItem: (key, value) => {
        storage.setItem(key, value)
        tell(key, value)
      },
      removeItem: (key) => {
        storage.removeItem(key)
        tell(key, null)
      },
    }
  }

  const openTab = ({ refresh, focused = false, isDirty }: TabOptions = {}) => {
    const own: Peer = { messages: new EventTarget(), storageEvents: new EventTarget() }
    peers.add(own)
    const messages = Object.assign(own.messages, {
      postMessage: (data: unknown) => {
        const copy: unknown = structuredClone(data)
        for (const peer of others(own)) later(() => peer.messages.dispatchEvent(new MessageEvent('message', { data: copy })))
      },
    })
    const storage = storageOf(own)
    const state = { reloads: 0, focused }
    let wake: (reason: WakeReason) => void = () => undefined
    const session = new SessionStore({
      refresh: refresh ?? (() => Promise.reject(new Error('no refresh expected'))),
      ...(isDirty ? { isDirty } : {}),
      environment: {
        storage,
        tabStorage: memoryStorage(),
        tabs: createTabChannel({
          messages: hasMessages ? messages : undefined,
          storageEvents: own.storageEvents,
          key: storageKeys.session,
        }),
        exclusive: hasLocks
          ? exclusiveByLocks(locks as Pick<LockManager, 'request'>)
          : exclusiveByLease({ storage, key: storageKeys.lease, now: Date.now }),
        now: Date.now,
        hasFocus: () => state.focused,
        reload: () => {
          state.reloads += 1
        },
        onWake: (listener) => {
          wake = listener
          return () => undefined
        },
      },
    })
    const stop = session.start()
    const close = () => {
      peers.delete(own)
      stop()
    }
    return { session, state, close, wake: (reason: WakeReason = 'shown') => wake(reason) }
  }

  /** The user empties the site's data. */
  const clear = () => {
    entries.clear()
    for (const { storageEvents } of peers) later(() => storageEvents.dispatchEvent(new FakeStorageEvent(null, null)))
  }

  return { openTab, entries, clear }
}

/** A server that renews any token after 100 ms. */
export function renewingServer(lifeS = 60) {
  const calls: string[] = []
  const refresh: RefreshCall = async (token) => {
    calls.push(token)
    await new Promise((resolve) => setTimeout(resolve, 100))
    return jsonAnswer(tokenObject(`${token}+`, lifeS))
  }
  return { calls, refresh }
}
