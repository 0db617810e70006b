import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeScreens, openScreens, settle } from '#tests/support/live-screens.ts'

afterEach(closeScreens)

describe('changes that are too many to be named', () => {
  it('make the lists and records of their resource be read again, at most once in a while', async () => {
    const { cache, calls, showList, showOne, change, shown } = openScreens()
    const list = await showList('owner')
    const record = await showOne('a')
    await showList('quiet')
    const before = calls.length
    change('a', 'new')
    const started = performance.now()
    while (performance.now() - started < 600) {
      cache.takeMerged(['person', 'boat'])
      await settle(20)
    }
    expect([shown(list), shown(record)]).toEqual([['new', 'b', 'c'], 'new'])
    // At once, and after 400 ms each.
    expect(calls.slice(before).toSorted()).toEqual(['list loud', 'list loud', 'one a loud', 'one a loud'])
  })

  it('make the history of a record, and a list of its parts, be read again', async () => {
    const { cache, calls, showList } = openScreens()
    const field = (name: string, value: string) => ({ field: name, operator: 'eq', value })
    await showList('log', { filters: [field('about', 'person'), field('aboutId', 'a')] })
    await showList('quiet', { from: 'person/a/quiet' })
    await showList('log', { filters: [field('about', 'boat')] })
    const before = calls.length
    cache.takeMerged(['person'])
    await settle(250)
    expect(calls.slice(before)).toEqual(['list loud', 'list loud'])
  })

  it('are read once more where the answer is under way, which is older than they are', async () => {
    const { client, cache, calls, holdLists, showList, change, shown } = openScreens()
    const list = await showList()
    const before = calls.length
    const release = holdLists()
    void client.refetchQueries({ queryKey: ['data', 'default', 'person', 'list'] })
    await settle(20)
    change('a', 'new')
    cache.takeMerged(['person'])
    await settle(100)
    expect(calls.slice(before)).toEqual(['list loud'])
    release()
    await vi.waitFor(() => expect(shown(list)).toEqual(['new', 'b', 'c']))
    await settle(500)
    expect(calls.slice(before)).toEqual(['list loud', 'list loud'])
  })

  it('mark what nobody looks at as old, without a call', async () => {
    const { client, cache, calls, showList } = openScreens()
    const list = await showList()
    const { queryHash } = list.getCurrentQuery()
    list.destroy()
    const before = calls.length
    cache.takeMerged(['person'])
    await settle(250)
    expect(client.getQueryCache().get(queryHash)?.state.isInvalidated).toBe(true)
    expect(calls).toHaveLength(before)
  })
})
