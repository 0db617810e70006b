import { describe, expect, it } from 'vitest'
import nestedQuery from '#build/slim/nested-query.ts'

describe('the query string that the built console gives to Refine', () => {
  it('reads single values with what needs escaping', () => {
    expect(nestedQuery.parse('?q=A%26B%20%2B5%25&to=%2Fess%3Fpage%3D2')).toEqual({ q: 'A&B +5%', to: '/ess?page=2' })
  })

  it('reads lists and objects, however long', () => {
    const search = Array.from({ length: 200 }, (_, index) => `f[${index}][field]=id&f[${index}][value]=${index}`).join('&')
    const { f } = nestedQuery.parse(`?${search}`) as { f: unknown[] }
    expect(f).toHaveLength(200)
    expect(f[199]).toEqual({ field: 'id', value: '199' })
  })

  it('reaches no prototype', () => {
    nestedQuery.parse('?__proto__[admin]=1&a[constructor][prototype][admin]=1')
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })

  it('writes what it reads', () => {
    const values = { page: '2', sorters: [{ field: 'code', order: 'asc' }], q: 'A&B +5%' }
    expect(nestedQuery.parse(nestedQuery.stringify(values))).toEqual(values)
  })

  it('leaves out what is absent and leaves alone what is encoded', () => {
    const written = nestedQuery.stringify(
      { to: '%2Fess', none: undefined, nothing: null },
      { addQueryPrefix: true, encode: false },
    )
    expect(written).toBe('?to=%2Fess')
    expect(nestedQuery.stringify({}, { addQueryPrefix: true })).toBe('')
  })
})
