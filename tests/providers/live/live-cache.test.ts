import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { at, closeScreens, event, openScreens, settle, stops, updatedAt } from '#tests/support/live-screens.ts'

afterEach(closeScreens)

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
