import { describe, expect, it } from 'vitest'
import { inOrder } from '#server/fleet/firmware/rollouts/order-boards.ts'

const board = (id: string, sort: string, isReady = true) => ({ id, sort, isReady })
const many = (count: number, sort: string, isReady = true) =>
  Array.from({ length: count }, (_, index) => board(`${sort}${index}`, sort, isReady))

describe('the order in which a rollout asks boards', () => {
  it('begins with a board of the most frequent sort that is ready', () => {
    const boards = [...many(5, 'rare'), ...many(40, 'silent', false), ...many(20, 'common')]
    expect(inOrder(boards)[0]).toEqual({ id: 'common0', sort: 'common', isReady: true, alike: 20 })
  })

  it('gives each sort its share of the first boards, and leaves out none', () => {
    const boards = [...many(60, 'a'), ...many(30, 'b'), ...many(10, 'c')]
    const ordered = inOrder(boards)
    const shares = (count: number) =>
      ['a', 'b', 'c'].map((sort) => ordered.slice(0, count).filter((each) => each.sort === sort).length)
    expect(shares(10)).toEqual([6, 3, 1])
    expect(shares(50)).toEqual([30, 15, 5])
    expect(shares(100)).toEqual([60, 30, 10])
  })

  it('asks those that are not ready last', () => {
    const boards = [board('1', 'a', false), board('2', 'b'), board('3', 'a', false), board('4', 'a')]
    expect(inOrder(boards).map(({ isReady }) => isReady)).toEqual([true, true, false, false])
    expect(inOrder(boards).find(({ id }) => id === '4')?.alike).toBe(3)
  })

  it('is found for a whole fleet in no time', () => {
    const boards = [...many(90_000, 'a'), ...many(10_000, 'b', false)]
    const since = performance.now()
    expect(inOrder(boards)).toHaveLength(100_000)
    expect(performance.now() - since).toBeLessThan(5_000)
  })
})
