import { describe, expect, it } from 'vitest'
import { inOrder } from '#server/fleet/firmware/rollouts/order-boards.ts'

const group = (count: number, sort: string, { isReady = true, named = count } = {}) => ({
  sort,
  isReady,
  count,
  ids: Array.from({ length: named }, (_, index) => `${sort}${index}`),
})

describe('the order in which a rollout asks boards', () => {
  it('begins with a board of the most frequent sort that is ready', () => {
    const groups = [group(5, 'rare'), group(40, 'silent', { isReady: false }), group(20, 'common')]
    expect(inOrder(groups)[0]).toEqual({ id: 'common0', of: groups[2], alike: 20 })
  })

  it('gives each sort its share of the first boards, and leaves out none', () => {
    const ordered = inOrder([group(60, 'a'), group(30, 'b'), group(10, 'c')])
    const shares = (count: number) =>
      ['a', 'b', 'c'].map((sort) => ordered.slice(0, count).filter(({ of }) => of.sort === sort).length)
    expect(shares(10)).toEqual([6, 3, 1])
    expect(shares(50)).toEqual([30, 15, 5])
    expect(shares(100)).toEqual([60, 30, 10])
  })

  it('asks those that are not ready last', () => {
    const ordered = inOrder([group(2, 'a', { isReady: false }), group(1, 'b'), group(1, 'a')])
    expect(ordered.map(({ of }) => of.isReady)).toEqual([true, true, false, false])
    expect(ordered.find(({ of }) => of.sort === 'a' && of.isReady)?.alike).toBe(3)
  })

  it('is the same for the first boards where only these are named', () => {
    const groups = (named?: number) => [
      group(700, 'a', { named: named ?? 700 }),
      group(290, 'b', { named: named ?? 290 }),
      group(10, 'c'),
    ]
    const idsOf = (all: ReturnType<typeof inOrder>) => all.slice(0, 10).map(({ id }) => id)
    expect(idsOf(inOrder(groups(10)))).toEqual(idsOf(inOrder(groups())))
  })

  it('is found for a whole fleet in no time', () => {
    const since = performance.now()
    expect(inOrder([group(90_000, 'a'), group(10_000, 'b', { isReady: false })])).toHaveLength(100_000)
    expect(performance.now() - since).toBeLessThan(5_000)
  })
})
