import type { DataProvider } from '@refinedev/core'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveCache } from '#providers/live/live-cache.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { LiveEvent } from '#schema/wire/wire.ts'

const label = { one: ['One', 'Один'], many: ['Many', 'Много'] } as const
const fields = { name: { type: 'text', label: ['Name', 'Имя'] } } as const
const definitions = definitionsOf([
  defineResource({ name: 'person', label, live: true, fields }),
  defineResource({ name: 'boat', label, live: true, fields }),
])
const event = (id: string, part: Partial<LiveEvent> = {}): LiveEvent => ({
  resource: 'person',
  id,
  version: 2,
  type: 'updated',
  at: '2026-05-01T12:00:00.000Z',
  ...part,
})
const settle = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const stops: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  for (const stop of stops.splice(0)) stop()
})

describe('what sums many records up', () => {
  /** A screen with an answer that is made of many people; when it was asked for. */
  async function showSum() {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    const cache = new LiveCache({
      client,
      data: {} as DataProvider,
      definitions,
      times: { gatherMs: 5, restMs: 80, sumMs: 400 },
    })
    stops.push(
      () => cache.stop(),
      () => client.clear(),
    )
    const calls: number[] = []
    const queryFn = async () => calls.push(Date.now())
    const observer = new QueryObserver(client, { queryKey: ['sum'], queryFn, meta: { live: ['person'] } })
    stops.push(observer.subscribe(() => undefined))
    await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
    return { cache, calls }
  }

  it('is asked for once the changes rest, and not before', async () => {
    const { cache, calls } = await showSum()
    let lastAt = 0
    for (const id of ['a', 'b', 'c']) {
      lastAt = Date.now()
      cache.take(event(id))
      await settle(30)
    }
    await vi.waitFor(() => expect(calls).toHaveLength(2), { timeout: 2_000 })
    expect((calls[1] ?? 0) - lastAt).toBeGreaterThanOrEqual(80)
  })

  it('is asked for now and then while changes never rest', async () => {
    const { cache, calls } = await showSum()
    for (let count = 0; count < 40 && calls.length < 3; count++) {
      cache.take(event('a', { version: count }))
      await settle(40)
    }
    expect(calls.length).toBeGreaterThanOrEqual(3)
    // Twice the pause since the answer that was there; one of the two may have come late.
    expect((calls[2] ?? 0) - (calls[0] ?? 0)).toBeGreaterThanOrEqual(780)
  })

  it('does not mind changes of other records', async () => {
    const { cache, calls } = await showSum()
    cache.take(event('a', { resource: 'boat' }))
    await settle(200)
    expect(calls).toHaveLength(1)
  })
})
