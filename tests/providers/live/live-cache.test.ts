import type { BaseRecord, DataProvider, GetListParams, GetListResponse } from '@refinedev/core'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HttpProblem } from '#providers/http-problem.ts'
import { LiveCache } from '#providers/live/live-cache.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { LiveEvent } from '#schema/wire/wire.ts'

const label = { one: ['One', 'Один'], many: ['Many', 'Много'] } as const
const fields = { name: { type: 'text', label: ['Name', 'Имя'] } } as const
const definitions = definitionsOf([
  defineResource({ name: 'person', label, live: true, fields }),
  defineResource({ name: 'owner', label, live: true, fields, subset: { of: 'person', where: { role: 'owner' } } }),
  defineResource({ name: 'quiet', label, fields }),
])

const at = '2026-05-01T12:00:00.000Z'
const updatedAt = '2026-05-01T11:00:00.000Z'
const event = (id: string, part: Partial<LiveEvent> = {}): LiveEvent => ({
  resource: 'person',
  id,
  version: 2,
  type: 'updated',
  at,
  ...part,
})

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server with three people, and the screens that show them. */
function openScreens() {
  const stored = new Map<string, BaseRecord>(
    ['a', 'b', 'c'].map((id) => [id, { id, name: id, version: 1, updatedAt }] as const),
  )
  const calls: string[] = []
  const getList = async ({ filters = [], meta }: GetListParams): Promise<GetListResponse<BaseRecord>> => {
    const wanted = filters.flatMap((filter) => ('field' in filter && filter.field === 'id' ? filter.value : []))
    calls.push(['list', ...wanted, ...(meta?.quiet ? [] : ['loud'])].join(' '))
    const rows = [...stored.values()].filter(({ id }) => wanted.length === 0 || wanted.includes(id))
    const isHidden = ({ name }: BaseRecord) =>
      filters.some((each) => 'field' in each && each.field === 'not' && each.value === name)
    const data = rows.filter((row) => !isHidden(row))
    return { data, total: data.length }
  }
  const getOne = async ({ id, meta }: { id: unknown; meta?: { quiet?: boolean } }) => {
    calls.push(`one ${id}${meta?.quiet ? '' : ' loud'}`)
    const data = stored.get(String(id))
    if (!data) throw new HttpProblem({ message: 'gone', statusCode: 404, code: 'not-found' })
    return { data }
  }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } })
  const data = { getList, getOne } as Partial<DataProvider> as DataProvider
  const cache = new LiveCache({
    client,
    data,
    definitions,
    times: { gatherMs: 5, againMs: 10, totalMs: 150, matchMs: 400, restMs: 80, sumMs: 400 },
  })
  stops.push(
    () => cache.stop(),
    () => client.clear(),
  )

  const watch = async (queryKey: unknown[], queryFn: () => Promise<unknown>) => {
    const observer = new QueryObserver<{ data: unknown; total?: number }>(client, {
      queryKey,
      queryFn: queryFn as () => Promise<{ data: unknown }>,
    })
    stops.push(observer.subscribe(() => undefined))
    await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
    return observer
  }
  const showList = (resource = 'person', params: Record<string, unknown> = {}) =>
    watch(['data', 'default', resource, 'list', params], () => getList({ resource, ...params }))
  const showOne = (id: string, resource = 'person') => watch(['data', 'default', resource, 'one', id, {}], () => getOne({ id }))
  const change = (id: string, name: string, version = 2) => stored.set(id, { id, name, version, updatedAt: at })
  const rowsOf = (observer: QueryObserver<{ data: unknown }>): BaseRecord[] => {
    const { data } = observer.getCurrentResult().data ?? {}
    return Array.isArray(data) ? data : []
  }
  const shown = (observer: QueryObserver<{ data: unknown }>) => {
    const { data } = observer.getCurrentResult().data ?? {}
    return Array.isArray(data) ? data.map(({ name }) => name) : Reflect.get(Object(data), 'name')
  }
  return { client, cache, calls, stored, showList, showOne, change, shown, rowsOf }
}

const settle = (ms = 100) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a change told by the server', () => {
  it('puts the one row in its place, and leaves the others the very same objects', async () => {
    const { cache, calls, showList, change, shown, rowsOf } = openScreens()
    const list = await showList()
    const [first] = rowsOf(list)
    change('b', 'new')
    cache.take(event('b'))
    await vi.waitFor(() => expect(shown(list)).toEqual(['a', 'new', 'c']))
    expect(rowsOf(list)[0]).toBe(first)
    expect(calls.slice(1)).toEqual(['list b'])
  })

  it('of many rows at once is asked for once', async () => {
    const { cache, calls, showList, change, shown } = openScreens()
    const list = await showList()
    for (const id of ['a', 'b', 'b', 'c']) {
      change(id, `${id}!`)
      cache.take(event(id))
    }
    await vi.waitFor(() => expect(shown(list)).toEqual(['a!', 'b!', 'c!']))
    expect(calls.slice(1)).toEqual(['list a b c'])
  })

  it('is read in an open record, and in the views of its table', async () => {
    const { cache, showOne, showList, change, shown } = openScreens()
    const record = await showOne('a')
    const owners = await showList('owner')
    change('a', 'new')
    cache.take(event('a'))
    await vi.waitFor(() => expect([shown(record), shown(owners)]).toEqual(['new', ['new', 'b', 'c']]))
  })

  it('that is known already, or of no live resource, asks for nothing', async () => {
    const { cache, calls, showList, showOne, stored } = openScreens()
    stored.set('a', { id: 'a', name: 'a', version: 2, updatedAt: at })
    await showOne('a')
    await showList()
    await showList('quiet')
    const before = calls.length
    for (const known of [
      event('a'),
      event('b', { version: 0 }),
      event('a', { resource: 'quiet' }),
      event('a', { resource: 'x' }),
    ])
      cache.take(known)
    await settle()
    expect(calls.slice(before)).toEqual([])
  })

  it('of a derived value, which has no new version, is seen by its time', async () => {
    const { cache, showOne, stored, shown } = openScreens()
    const record = await showOne('a')
    stored.set('a', { id: 'a', name: 'offline', version: 1, updatedAt })
    cache.take(event('a', { version: 1 }))
    await vi.waitFor(() => expect(shown(record)).toBe('offline'))
  })

  it('marks what nobody looks at as old, without a call', async () => {
    const { client, cache, calls, showList } = openScreens()
    const list = await showList()
    const { queryHash } = list.getCurrentQuery()
    list.destroy()
    const before = calls.length
    cache.take(event('a'))
    await vi.waitFor(() => expect(client.getQueryCache().get(queryHash)?.state.isInvalidated).toBe(true))
    expect(calls).toHaveLength(before)
  })

  it('never puts an older row over a newer one', async () => {
    const { client, cache, showList, shown, change } = openScreens()
    const list = await showList()
    change('a', 'third', 3)
    client.setQueryData(['data', 'default', 'person', 'list', {}], {
      data: [{ id: 'a', name: 'fourth', version: 4 }],
      total: 1,
    })
    cache.take(event('a', { version: 5 }))
    await settle()
    expect(shown(list)).toEqual(['fourth'])
  })
})

describe('rows that come and go', () => {
  it('make the list be read again, at most once in a while', async () => {
    const { cache, calls, showList, shown, change } = openScreens()
    const list = await showList()
    const before = calls.length
    for (const id of ['d', 'e', 'f', 'g']) {
      change(id, id)
      cache.take(event(id, { type: 'created' }))
      await settle(40)
    }
    await vi.waitFor(() => expect(shown(list)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']), { timeout: 2_000 })
    expect(calls.slice(before).length).toBeLessThan(4)
  })

  it('make a list with conditions be read again when a stranger changes', async () => {
    const { cache, calls, showList, change } = openScreens()
    await showList('person', { filters: [{ field: 'not', operator: 'eq', value: 'x' }] })
    change('z', 'z')
    cache.take(event('z'))
    await vi.waitFor(() => expect(calls.filter((call) => call === 'list loud')).toHaveLength(2), { timeout: 2_000 })
  })

  it('leave a list whose conditions they do not meet any more', async () => {
    const { cache, showList, change, shown } = openScreens()
    const list = await showList('person', { filters: [{ field: 'not', operator: 'eq', value: 'hidden' }] })
    change('b', 'hidden')
    cache.take(event('b'))
    await vi.waitFor(() => expect(shown(list)).toEqual(['a', 'c']), { timeout: 2_000 })
  })

  it('leave an open record as it is, with the word that it is gone', async () => {
    const { cache, stored, showOne, shown } = openScreens()
    const record = await showOne('a')
    stored.delete('a')
    cache.take(event('a', { type: 'deleted' }))
    await vi.waitFor(() => expect(record.getCurrentResult().error).toMatchObject({ statusCode: 404 }))
    expect(shown(record)).toBe('a')
  })
})

it('a gap in the stream makes everything on screen be read again', async () => {
  const { cache, calls, showList, showOne } = openScreens()
  await showList()
  await showOne('a')
  cache.reset()
  await vi.waitFor(() => expect(calls).toHaveLength(4))
})

it('what sums records up is asked for after a rest: after their changes, and after a gap in the stream', async () => {
  const { client, cache } = openScreens()
  const asked: number[] = []
  const sum = new QueryObserver(client, {
    queryKey: ['sum'],
    meta: { live: ['person'] },
    queryFn: async () => asked.push(performance.now()),
  })
  stops.push(sum.subscribe(() => undefined))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  for (const [count, tell] of [() => cache.reset(), () => cache.take(event('a'))].entries()) {
    const from = performance.now()
    tell()
    await vi.waitFor(() => expect(asked).toHaveLength(count + 2))
    expect((asked.at(-1) ?? 0) - from).toBeGreaterThanOrEqual(75)
  }
})
