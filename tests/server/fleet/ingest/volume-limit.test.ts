import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VolumeLimit } from '#server/fleet/ingest/volume-limit.ts'

const frames = (count: number) => Array.from({ length: count }, () => Buffer.alloc(1))

describe('the volume limit', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('lets a board wait until its bucket has enough again', () => {
    const limit = new VolumeLimit({ most: 20, perMin: 6 })
    expect(limit.take('a', frames(20))).toBe(0)
    expect(limit.take('a', frames(3))).toBe(30)
    vi.advanceTimersByTime(30_000)
    expect(limit.take('a', frames(3))).toBe(0)
  })

  it('forgets a board whose buckets are full again, and no other', () => {
    const limit = new VolumeLimit({ most: 20, perMin: 6 }, { most: 20, perMin: 60 })
    limit.take('calm', frames(6))
    limit.take('loud', frames(20))
    vi.advanceTimersByTime(61_000)
    expect(limit.take('loud', frames(7))).toBe(10)
    expect(limit.size).toBe(1)
  })
})
