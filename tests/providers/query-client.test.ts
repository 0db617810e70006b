import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '#providers/query-client.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A screen that shows one answer. */
function screenOf(load: () => Promise<unknown>) {
  const client = createQueryClient()
  client.mount()
  const observer = new QueryObserver(client, { queryKey: ['fleet'], queryFn: load })
  const leave = observer.subscribe(() => undefined)
  return { client, leave, observer }
}

describe('what the server said', () => {
  it('is fresh for 5 s', async () => {
    const load = vi.fn(async () => 'rows')
    const { client } = screenOf(load)
    await vi.advanceTimersByTimeAsync(4_900)
    await client.fetchQuery({ queryKey: ['fleet'], queryFn: load })
    expect(load).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(200)
    await client.fetchQuery({ queryKey: ['fleet'], queryFn: load })
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('is asked for twice more when the server or the network is in trouble', async () => {
    const load = vi.fn(async () => Promise.reject(Object.assign(new Error('down'), { statusCode: 503 })))
    const { observer } = screenOf(load)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(load).toHaveBeenCalledTimes(3)
    expect(observer.getCurrentResult().isError).toBe(true)
  })

  it.each([400, 403, 404, 409, 429])('is never asked for again after a refusal: %i', async (statusCode) => {
    const load = vi.fn(async () => Promise.reject(Object.assign(new Error('no'), { statusCode })))
    screenOf(load)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is asked for again when the window is looked at, and a write never by itself', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions()
    expect(queries?.refetchOnWindowFocus).toBe(true)
    expect(mutations?.retry).toBe(false)
  })
})
