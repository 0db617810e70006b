import { afterEach, describe, expect, it, vi } from 'vitest'
import { TtlCache } from '#server/base/ttl-cache.ts'

const settle = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an answer that is kept for a moment', () => {
  afterEach(() => void vi.useRealTimers())

  it('is worked out once for all who ask meanwhile, and by its key', async () => {
    const kept = new TtlCache<number>(60_000)
    let asked = 0
    const ask = async () => ++asked
    expect(await Promise.all([kept.of('a', ask), kept.of('a', ask), kept.of('b', ask)])).toEqual([1, 1, 2])
    expect(await kept.of('a', ask)).toBe(1)
  })

  it('is worked out again when the moment is over', async () => {
    const kept = new TtlCache<number>(20)
    let asked = 0
    const ask = async () => ++asked
    expect(await kept.of('a', ask)).toBe(1)
    await settle(30)
    expect(await kept.of('a', ask)).toBe(2)
  })

  it('is kept for longer when it takes long each time, and shared by all who ask while it loads', async () => {
    vi.useFakeTimers()
    const kept = new TtlCache<number>(1, { mayBeCostly: true })
    let asked = 0
    const ask = (key: string, ms: number) => kept.of(key, () => settle(ms).then(() => ++asked))
    const first = ask('long', 1_100)
    await vi.advanceTimersByTimeAsync(10)
    const shared = ask('long', 0)
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await Promise.all([first, shared])).toEqual([1, 1])
    expect(await ask('long', 1_100)).toBe(1)
    await vi.advanceTimersByTimeAsync(1_110)
    for (const _ of [1, 2]) {
      expect(await ask('long', 0)).toBe(2)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    expect(asked).toBe(2)
  })

  it('is soon that of now after a single slow load, as on a machine that was busy', async () => {
    vi.useFakeTimers()
    const kept = new TtlCache<string>(1_000, { mayBeCostly: true })
    const ask = (value: string, ms: number) => kept.of('a', () => settle(ms).then(() => value))
    const first = ask('first', 1_500)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(await Promise.all([first, ask('second', 100)])).toEqual(['first', 'first'])
    await vi.advanceTimersByTimeAsync(110)
    expect(await ask('third', 100)).toBe('second')
    await vi.advanceTimersByTimeAsync(1_000)
    const fourth = ask('fourth', 1_500)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(await Promise.all([fourth, ask('fifth', 100)])).toEqual(['fourth', 'fourth'])
  })

  it('is not that of minutes ago after a single slow load, nor after two that lie far apart', async () => {
    vi.useFakeTimers()
    const kept = new TtlCache<string>(1_000, { mayBeCostly: true })
    const ask = (value: string) => kept.of('a', () => settle(1_500).then(() => value))
    for (const value of ['first', 'second', 'third']) {
      const asked = ask(value)
      await vi.advanceTimersByTimeAsync(1_500)
      expect(await asked).toBe(value)
      await vi.advanceTimersByTimeAsync(11 * 60_000)
    }
  })

  it('is given as it was while a costly one is worked out again, once, and not for ever', async () => {
    const kept = new TtlCache<number>(1, { mayBeCostly: true, mostMs: 50 })
    let asked = 0
    const ask = async () => {
      await settle(1_050)
      return ++asked
    }
    expect(await kept.of('a', ask)).toBe(1)
    await settle(70)
    const began = performance.now()
    expect(await Promise.all([kept.of('a', ask), kept.of('a', ask)])).toEqual([1, 1])
    expect(kept.isRevalidating('a')).toBe(true)
    expect(performance.now() - began).toBeLessThan(600)
    await settle(1_080)
    expect(kept.isRevalidating('a')).toBe(false)
    expect(await kept.of('a', ask)).toBe(2)
    await settle(300)
    expect(await kept.of('a', ask)).toBe(3)
  })

  it('is given as it was when it can not be worked out again, and tried at the next call', async () => {
    const kept = new TtlCache<number>(1, { mayBeCostly: true, mostMs: 100 })
    const slow = async () => {
      await settle(1_010)
      return 1
    }
    expect(await kept.of('a', slow)).toBe(1)
    await settle(120)
    expect(await kept.of('a', () => Promise.reject(new Error('away')))).toBe(1)
    await settle(10)
    expect(await kept.of('a', async () => 2)).toBe(1)
    await settle(10)
    expect(await kept.of('a', async () => 3)).toBe(3)
  })

  it('outlasts an older load that fails after it', async () => {
    vi.useFakeTimers()
    const kept = new TtlCache<string>(20)
    const failing = kept.of('a', () => settle(40).then(() => Promise.reject(new Error('away'))))
    const failed = expect(failing).rejects.toThrow('away')
    await vi.advanceTimersByTimeAsync(30)
    expect(await kept.of('a', async () => 'newer')).toBe('newer')
    await vi.advanceTimersByTimeAsync(15)
    await failed
    expect(await kept.of('a', async () => 'newest')).toBe('newer')
  })

  it('is not replaced by an older one that was being worked out again', async () => {
    vi.useFakeTimers()
    const kept = new TtlCache<string>(1, { mayBeCostly: true, mostMs: 100 })
    const ask = (value: string, ms: number) => kept.of('a', () => settle(ms).then(() => value))
    const first = ask('first', 1_200)
    await vi.advanceTimersByTimeAsync(1_200 + 150)
    expect(await Promise.all([first, ask('again', 2_500)])).toEqual(['first', 'first'])
    await vi.advanceTimersByTimeAsync(1_100)
    const newer = ask('newer', 1_200)
    await vi.advanceTimersByTimeAsync(250)
    const shared = ask('newest', 1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await Promise.all([newer, shared])).toEqual(['newer', 'newer'])
    await vi.advanceTimersByTimeAsync(200)
    expect(await ask('last', 1)).toBe('newer')
  })

  it('is not kept when it failed', async () => {
    const kept = new TtlCache<string>(60_000)
    await expect(kept.of('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await kept.of('a', async () => 'here')).toBe('here')
  })
})
