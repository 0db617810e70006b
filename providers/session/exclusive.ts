import type { KeyValueStorage } from './session-environment.ts'

/**
 * Runs `work` in one tab at a time. It is called with false, at once, when another tab holds the name: then it must not do the
 * thing, only plan to look again.
 */
export type Exclusive = (name: string, work: (isHolder: boolean) => Promise<void>) => Promise<void>

type Locks = Pick<LockManager, 'request'>

export function exclusiveByLocks(locks: Locks): Exclusive {
  return async (name, work) => {
    await locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null))
  }
}

export type LeaseOptions = { storage: KeyValueStorage; key: string; now: () => number; random?: () => number }

/** Longer than the longest work (a refresh gives up after 15 s): a lease that is older belongs to a closed tab. */
const leaseMs = 20_000
/** A write of another tab takes up to about this long to be seen. */
const settleMs = 50

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Fallback without Web Locks, which need https: a lease in the storage. A tab that still reads its own name after a moment
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
