import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServerReach } from '#providers/live/server-reach.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

function openReach(isLost = false) {
  const told: (number | undefined)[] = []
  const server = { answers: false, probes: 0 }
  const reach = new ServerReach({
    probe: async () => {
      server.probes += 1
      return server.answers
    },
    onChange: (sinceMs) => told.push(sinceMs),
    isLost,
  })
  return { reach, told, server }
}

describe('a server that the stream has lost', () => {
  it('is reported after ten seconds, with the moment of its last sign', async () => {
    const { reach, told } = openReach()
    await vi.advanceTimersByTimeAsync(5_000)
    reach.heard()
    await vi.advanceTimersByTimeAsync(1_000)
    reach.lost()
    await vi.advanceTimersByTimeAsync(9_000)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(told).toEqual([1_005_000])
  })

  it('is not reported for a restart of a few seconds, but what failed meanwhile is asked for again', async () => {
    const { reach, told, server } = openReach()
    reach.lost()
    await vi.advanceTimersByTimeAsync(6_000)
    reach.lost()
    reach.heard()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told).toEqual([undefined])
    expect(server.probes).toBe(0)
  })

  it('is taken back with the next sign of life', async () => {
    const { reach, told } = openReach()
    reach.lost()
    await vi.advanceTimersByTimeAsync(10_000)
    reach.heard()
    reach.heard()
    expect(told).toEqual([1_000_000, undefined])
  })

  it('that the leader before has lost is taken back by the next one; nothing is said where it was there', () => {
    for (const isLost of [true, false]) {
      const { reach, told } = openReach(isLost)
      reach.heard()
      expect(told).toEqual(isLost ? [undefined] : [])
    }
  })

  it('is not reported while it answers and only the stream is cut', async () => {
    const { reach, told, server } = openReach()
    server.answers = true
    reach.lost()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toEqual([undefined])
  })

  it('is probed once for each attempt of the stream', async () => {
    const { reach, told, server } = openReach()
    for (let second = 0; second < 10; second += 1) {
      reach.lost()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(server.probes).toBe(1)
    reach.lost()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(server.probes).toBe(2)
    expect(told).toEqual([1_000_000, 1_000_000])
  })
})
