import { describe, expect, it } from 'vitest'
import differenceWith from '#build/slim/difference-with.ts'
import { stringify } from '#build/slim/flat-query.ts'
import isEqual from '#build/slim/is-equal.ts'
import unionWith from '#build/slim/union-with.ts'

describe('what stands in for libraries in the built console', () => {
  it('compares plain data by value', () => {
    const filter = () => ({ field: 'status', value: ['a', null, { at: new Date(5) }] })
    expect(isEqual(filter(), filter())).toBe(true)
    expect(isEqual(Number.NaN, Number.NaN)).toBe(true)
    expect(isEqual({ a: undefined }, {})).toBe(false)
    expect(isEqual({ a: 1 }, { b: 1 })).toBe(false)
    expect(isEqual([1], { 0: 1 })).toBe(false)
    expect(isEqual(null, {})).toBe(false)
    expect(isEqual(new Date(5), new Date(6))).toBe(false)
    expect(isEqual('1', 1)).toBe(false)
  })

  it('joins and subtracts lists by a comparison, and takes none for empty', () => {
    const sameField = (one: { field: string }, other: { field: string }) => one.field === other.field
    const a = { field: 'a', value: 1 }
    const b = { field: 'b', value: 1 }
    const again = { field: 'a', value: 2 }
    expect(unionWith([a], [again, b], sameField)).toEqual([a, b])
    expect(differenceWith([a, b], [again], sameField)).toEqual([b])
    expect(unionWith(undefined, [b], sameField)).toEqual([b])
    expect(differenceWith([b], undefined, sameField)).toEqual([b])
  })

  it('writes flat queries with every value of a list', () => {
    expect(stringify({ id: [1, 2], q: 'A&B +5%', none: undefined, empty: null, _start: 0 })).toBe(
      'id=1&id=2&q=A%26B%20%2B5%25&empty&_start=0',
    )
  })
})
