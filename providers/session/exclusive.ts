import { pause } from '#providers/pause.ts'
import type { KeyValueStorage } from './session-environment.ts'

/**
 * Mutex between tabs: runs `work(true)` in one tab at a time. When another tab holds the name, `work(false)` runs at once and
 * must only schedule a later check.
 */
export type Exclusive = (name: string, work: (isHolder: boolean) => Promise<void>) => Promise<void>

type Locks = Pick<LockManager, 'request'>

export function exclusiveByLocks(locks: Locks): Exclusive {
  return async (name, work) => {
    await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null))
  }
}

export type LeaseOptions = { storage: KeyValueStorage; key: string; now: () => number; random?: () => number }

/** Longer than the longest work (a refresh gives up after 15 s): an older lease belongs to a closed tab. */
const leaseMs = 20_000
/** Time until a write of another tab is visible. */
const settleMs = 50

/**
 * Fallback without Web Locks, which need https: a lease in the storage. The tab that reads back its own name after a moment
 * wrote last and holds the lease.
 */
export function exclusiveByLease({ storage, key, now, random = Math.random }: LeaseOptions): Exclusive {
  const me = `${now()}.${random()}`
  const holder = (name: string) => {
    const [owner, until] = (storage.getItem(`${key}.${name}`) ?? '').split(' ')
    return owner && Number(until) > now() ? owner : undefined
  }
  return async (name, work) => {
    if (holder(name)) return work(false)
    storage.setItem(`${key}.${name}`, `${me} ${now() + leaseMs}`)
    await pause(settleMs + random() * settleMs)
    if (holder(name) !== me) return work(false)
    try {
      await work(true)
    } finally {
      if (holder(name) === me) storage.removeItem(`${key}.${name}`)
    }
  }
}
