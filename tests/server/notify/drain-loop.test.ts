import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DrainLoop } from '#server/notify/drain-loop.ts'

describe('the loop of a queue', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'makes another round for a call that comes %i steps after one has begun',
    async (steps) => {
      let rounds = 0
      const round = async () => {
        rounds += 1
        return 0
      }
      const loop = new DrainLoop({ round, failed: () => undefined })
      void loop.work()
      for (let step = 0; step < steps; step += 1) await Promise.resolve()
      const before = rounds
      await loop.work()
      expect(rounds).toBeGreaterThan(before)
    },
  )

  it('makes another round for a call that comes while one fails', async () => {
    const faults: unknown[] = []
    let rounds = 0
    const round = async () => {
      rounds += 1
      await turn()
      if (rounds === 1) throw new Error('away')
      return 0
    }
    const loop = new DrainLoop({ round, failed: (error) => faults.push(error) })
    await Promise.all([loop.work(), loop.work()])
    expect([rounds, faults.length]).toEqual([2, 1])
  })

  it('goes on until a round finds nothing, and starts none after its end', async () => {
    const found = [5, 5, 0]
    let rounds = 0
    const round = async () => {
      await turn()
      rounds += 1
      return found.shift() ?? 0
    }
    const loop = new DrainLoop({ round, failed: () => undefined })
    await loop.work()
    expect(rounds).toBe(3)
    const last = [loop.work(), loop.work()]
    await loop.close()
    expect(rounds).toBe(4)
    await Promise.all([...last, loop.work()])
    expect(rounds).toBe(4)
  })
})
