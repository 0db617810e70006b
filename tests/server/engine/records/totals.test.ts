import { describe, expect, it } from 'vitest'
import { createTotals, manyTables } from '#server/engine/records/totals.ts'

/** A count that ends when it is told to. */
function counting() {
  let end: (total: number) => void = () => {}
  const total = new Promise<number>((resolve) => {
    end = resolve
  })
  let asked = 0
  const count = () => {
    asked += 1
    return total
  }
  return { count, end, asked: () => asked }
}

describe('the total of a list', () => {
  it('is counted once for all who ask while it is counted, and then said again', async () => {
    const totals = createTotals()
    const first = counting()
    const asked = [totals.total('ess', 'all', first.count), totals.total('ess', 'all', first.count)]
    first.end(7)
    expect(await Promise.all(asked)).toEqual([7, 7])
    expect(await totals.total('ess', 'all', first.count)).toBe(7)
    expect(first.asked()).toBe(1)
  })

  it.each(['ess', manyTables])(
    'is counted again once %s has changed, also by those who come while the old count runs',
    async (table) => {
      const totals = createTotals()
      const [before, after] = [counting(), counting()]
      const old = totals.total(table, 'all', before.count)
      totals.forget('ess')
      const fresh = totals.total(table, 'all', after.count)
      after.end(8)
      before.end(7)
      expect([await old, await fresh]).toEqual([7, 8])
      expect(await totals.total(table, 'all', before.count)).toBe(8)
    },
  )

  it('stays when another table has changed', async () => {
    const totals = createTotals()
    const only = counting()
    only.end(3)
    await totals.total('ess', 'all', only.count)
    totals.forget('user')
    expect(await totals.total('ess', 'all', only.count)).toBe(3)
    expect(only.asked()).toBe(1)
  })
})
