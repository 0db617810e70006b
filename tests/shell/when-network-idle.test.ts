import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSparing, whenNetworkIdle } from '#console/when-network-idle.ts'

describe('work that nobody has asked for', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('begins after the first data, and not while a call is under way', async () => {
    const client = new QueryClient()
    const work = vi.fn()
    let answer = (_rows: string[]) => {}
    const rows = new Promise<string[]>((resolve) => {
      answer = resolve
    })
    whenNetworkIdle(client, work)
    void client.fetchQuery({ queryKey: ['rows'], queryFn: () => rows })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(work).not.toHaveBeenCalled()
    answer([])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(work).toHaveBeenCalledOnce()
    client.clear()
  })

  it('is left out on a metered line and on a very slow one', () => {
    expect([{ saveData: true }, { effectiveType: 'slow-2g' }, { effectiveType: '2g' }].map(isSparing)).toEqual([
      true,
      true,
      true,
    ])
    expect([undefined, {}, { saveData: false, effectiveType: '4g' }].map(isSparing)).toEqual([false, false, false])
  })
})
