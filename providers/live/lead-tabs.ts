import { pause } from '#providers/pause.ts'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'

export type LeadOptions = {
  name: string
  /** Absent without https: the tabs then use a lease in the storage. */
  locks: Pick<LockManager, 'request'> | undefined
  storage: KeyValueStorage
  times?: Partial<LeaseTimes>
}

/** In milliseconds. A lease not renewed for `lifeMs` belongs to a closed tab. */
type LeaseTimes = { lifeMs: number; renewMs: number; settleMs: number }
const leaseTimes: LeaseTimes = { lifeMs: 12_000, renewMs: 3_000, settleMs: 150 }

type Work = (signal: AbortSignal) => Promise<void>

/** Leader election: runs `work` in one tab at a time. Another tab takes over when the leader closes or its work ends. */
export async function leadTabs({ locks, ...options }: LeadOptions, work: Work, signal: AbortSignal): Promise<void> {
  if (!locks) return leadByLease(options, work, signal)
  // Aborted while waiting for the lock.
  await locks.request(options.name, { signal }, () => work(signal)).catch(() => undefined)
}

async function leadByLease({ name, storage, times }: Omit<LeadOptions, 'locks'>, work: Work, signal: AbortSignal) {
  const { lifeMs, renewMs, settleMs } = { ...leaseTimes, ...times }
  const me = `${Date.now()}.${Math.random()}`
  const holder = () => {
    const [owner, since] = (storage.getItem(name) ?? '').split(' ')
    return owner && Number(since) > Date.now() - lifeMs ? owner : undefined
  }
  const renew = () => storage.setItem(name, `${me} ${Date.now()}`)
  while (!signal.aborted) {
    if (holder()) {
      await pause(renewMs)
      continue
    }
    renew()
    await pause(settleMs * (1 + Math.random()))
    // Another tab wrote its name last.
    if (holder() !== me) continue
    const term = new AbortController()
    const end = () => term.abort()
    const timer = setInterval(() => (holder() === me ? renew() : end()), renewMs)
    signal.addEventListener('abort', end)
    // The tab may have closed while the names settled.
    if (!signal.aborted) await work(term.signal)
    clearInterval(timer)
    signal.removeEventListener('abort', end)
    if (holder() === me) storage.removeItem(name)
    // The work ended with the session.
    if (!term.signal.aborted) return
  }
}
