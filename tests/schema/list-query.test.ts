import { describe, expect, it } from 'vitest'
import { ess } from '#resources/ess.ts'
import { parseListQuery, screenParams, screenState, wireQuery } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'

const definition: AnyResource = ess
const defaults = { sort: [{ field: 'code', order: 'asc' }], limit: 25 } as const
const screen = (address: string) => screenState(definition, new URLSearchParams(address), defaults)
const input = (params: URLSearchParams) =>
  Object.fromEntries([...new Set(params.keys())].map((key) => [key, params.getAll(key)]))

describe('the address of a list', () => {
  it.each([
    ['signs of its own', 'q', 'A&B + 50% = #1?'],
    ['Cyrillic and quotes', 'q', 'Гостиница «Берег» "1"'],
    ['a plus and a percent sign in a filter', 'name', '100%+ & more'],
  ])('carries %s unchanged', (_, key, text) => {
    const state = screen(new URLSearchParams({ [key]: text }).toString())
    const again = screen(screenParams(state, defaults).toString())
    expect(key === 'q' ? again.q : again.filters[0]?.values).toEqual(key === 'q' ? text : [text])
  })

  it('carries 200 values of one filter, in their order', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`)
    const params = new URLSearchParams(ids.map((id): [string, string] => ['ownerId', id]))
    const [filter] = screen(screenParams(screen(params.toString()), defaults).toString()).filters
    expect(filter).toEqual({ field: 'ownerId', op: 'eq', values: ids })
  })

  it('gives numbers and truth values back as what they are', () => {
    const { filters } = screen('ratedEnergyWh_gte=10000&ownerId_null=true&modules=3')
    expect(filters.map(({ values }) => values[0])).toEqual([10_000, true, 3])
  })

  it('leaves out what is as usual, and reads it back the same', () => {
    expect(screenParams(screen(''), defaults).toString()).toBe('')
    const address = 'connection=OFFLINE&q=abc&sort=-ratedEnergyWh%2Ccode&page=3&limit=50'
    expect(screenParams(screen(address), defaults).toString()).toBe(address)
  })

  it('drops what the definition does not know, and names it', () => {
    const { filters, dropped, sort } = screen('colour=red&connection=BLUE&headers[x]=1&sort=nothing')
    expect(filters).toEqual([])
    expect(dropped).toEqual(['colour', 'connection', 'headers[x]', 'sort=nothing'])
    expect(sort).toEqual([])
  })

  it('drops the sort keys after the fifth, which the server refuses, and names them', () => {
    const { dropped, sort } = screen('sort=code,-name,nothing,model,manufacturer,serialNumber,chemistry')
    expect(sort.map(({ field }) => field)).toEqual(['code', 'name', 'model', 'manufacturer', 'serialNumber'])
    expect(dropped).toEqual(['sort=nothing', 'sort=chemistry'])
  })

  it('asks the server for no page that it refuses: the last of all is empty, too', () => {
    for (const [limit, page] of [
      [25, 40_001],
      [200, 5_001],
    ] as const) {
      const state = screen(`page=50000&limit=${limit}`)
      expect(state.page).toBe(page)
      const start = (page - 1) * limit
      expect(parseListQuery(definition, { _start: String(start), _end: String(start + limit) }).faults).toEqual([])
    }
  })

  it('looks into groups', () => {
    expect(screen('location.timezone=Europe/Berlin').filters).toEqual([
      { field: 'location.timezone', op: 'eq', values: ['Europe/Berlin'] },
    ])
  })
})

describe('the query on the wire', () => {
  it('is read by the server as the console wrote it', () => {
    const { filters, sort, q } = screen('connection=OFFLINE&connection=STALE&ratedEnergyWh_lte=20000&q=x%26y&sort=-code')
    const query = { filters, sort, q, start: 50, end: 75 }
    expect(parseListQuery(definition, input(wireQuery(query)))).toEqual({ query, faults: [] })
  })

  it('repeats the key of several values without brackets', () => {
    const { filters } = screen('connection=OFFLINE&connection=STALE')
    expect(wireQuery({ filters, sort: [], start: 0, end: 20 }).toString()).toBe(
      'connection=OFFLINE&connection=STALE&_start=0&_end=20',
    )
  })

  it('searches for the beginning of a text that is longer than the server takes', () => {
    const query = { filters: [], sort: [], start: 0, end: 20, q: 'ab '.repeat(5000) }
    const asked = parseListQuery(definition, input(wireQuery(query)))
    expect(asked.faults).toEqual([])
    expect(asked.query.q).toBe('ab '.repeat(84).slice(0, 250).trim())
  })

  it.each([
    ['an unknown field', { colour: 'red' }, 'unknown-field'],
    ['a field of the prototype', { constructor: 'x' }, 'unknown-field'],
    ['an operator that the type does not have', { connection_gte: 'ONLINE' }, 'unknown-operator'],
    ['a value of the wrong type', { ratedEnergyWh: 'much' }, 'wrong-type'],
    ['a day that is none', { installedAt: 'soon' }, 'bad-date'],
    ['a time that is none', { createdAt_gte: 'now' }, 'bad-time'],
    ['a choice that is none', { connection: 'BLUE' }, 'not-a-choice'],
    ['an order by nothing', { _sort: 'colour' }, 'unknown-field'],
    ['a direction that is none', { _sort: 'code', _order: 'up' }, 'not-a-choice'],
    ['more than 200 rows', { _start: '0', _end: '201' }, 'bad-page'],
    ['a page before the first', { _start: '-1', _end: '20' }, 'bad-page'],
    ['a page beyond a million rows', { _start: '1000001', _end: '1000021' }, 'bad-page'],
    ['an order by six', { _sort: 'code,code,code,code,code,code' }, 'too-many'],
    ['a doubled bound', { ratedEnergyWh_gte: ['1', '2'] }, 'wrong-type'],
  ])('refuses %s', (_, query, code) => {
    expect(parseListQuery(definition, query).faults.map((fault) => fault.code)).toEqual([code])
  })

  it('tells all faults at once', () => {
    expect(parseListQuery(definition, { colour: 'red', connection: 'BLUE', _end: '9999' }).faults).toHaveLength(3)
  })

  it('sorts by an order that no column shows, and filters by it no more than by what is unknown', () => {
    const readable = (path: string) => path !== 'attention'
    const { query, faults } = parseListQuery(definition, { _sort: 'attention', _order: 'asc' }, { readable })
    expect([query.sort, faults]).toEqual([[{ field: 'attention', order: 'asc' }], []])
    expect(parseListQuery(definition, { attention_gte: '1' }).faults.map(({ code }) => code)).toEqual(['unknown-field'])
  })
  it('does not tell a hidden field from an unknown one', () => {
    const readable = (path: string) => path !== 'notes'
    expect(parseListQuery(definition, { notes_like: 'x' }, { readable }).faults.map(({ code }) => code)).toEqual([
      'unknown-field',
    ])
  })
})
