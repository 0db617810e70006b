import { describe, expect, it, vi } from 'vitest'
import { type LeadOptions, leadTabs } from '#providers/live/lead-tabs.ts'
import { memoryStorage } from '#tests/providers/browser.ts'

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())))

type Locks = LeadOptions['locks']

/** Locks as a browser gives them: in the order in which they were asked for. */
function queuedLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve()
  const request = async (_name: string, { signal }: LockOptions, work: (lock: Lock | null) => Promise<void>): Promise<void> => {
    const before = last
    const turn = before.then(() => (signal?.aborted ? Promise.reject(new Error('aborted')) : work(null)))
    last = turn.catch(() => undefined)
    await turn
  }
  return { request } as Locks
}

/** Tabs of one browser that all want to lead. */
function openTabs(count: number, locks: Locks) {
  const storage = memoryStorage()
  const leading: number[] = []
  const tabs = Array.from({ length: count }, (_, tab) => {
    const ending = new AbortController()
    const times = { lifeMs: 200, renewMs: 40, settleMs: 10 }
    const work = async (signal: AbortSignal) => {
      leading.push(tab)
      await untilAborted(signal)
      leading.splice(leading.indexOf(tab), 1)
    }
    return { close: () => ending.abort(), ended: leadTabs({ name: 'leader', locks, storage, times }, work, ending.signal) }
  })
  return { leading, tabs }
}

const agreements: [string, () => Locks][] = [
  ['locks', queuedLocks],
  ['a lease in the storage', () => undefined],
]

it('a tab that is closed while its lease settles starts no work, and leaves the lease to others', async () => {
  const storage = memoryStorage()
  const ending = new AbortController()
  const work = vi.fn(untilAborted)
  const times = { lifeMs: 200, renewMs: 40, settleMs: 10 }
  const ended = leadTabs({ name: 'leader', locks: undefined, storage, times }, work, ending.signal)
  ending.abort()
  await ended
  expect(work).not.toHaveBeenCalled()
  expect(storage.getItem('leader')).toBeNull()
})

describe.each(agreements)('tabs that agree by %s', (_, locks) => {
  it('have one leader, and the next one when that is closed', async () => {
    const { leading, tabs } = openTabs(5, locks())
    for (let left = 5; left > 0; left -= 1) {
      await vi.waitFor(() => expect(leading).toHaveLength(1), { timeout: 3_000, interval: 5 })
      await new Promise((resolve) => setTimeout(resolve, 60))
      expect(leading).toHaveLength(1)
      const [leader = 0] = leading
      tabs[leader]?.close()
      await vi.waitFor(() => expect(leading).not.toContain(leader))
    }
    await Promise.all(tabs.map(({ ended }) => ended))
    expect(leading).toEqual([])
  })
})
