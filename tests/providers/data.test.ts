import type { DataProvider } from '@refinedev/core'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { wire } from './wire.ts'

/** Each method takes its own parameters; the test hands all of them to any. */
const call = (method: DataProvider['getOne' | 'getList' | 'create' | 'update' | 'deleteOne'], params: object) =>
  Reflect.apply(method, undefined, [params])

describe('lists on the wire', () => {
  it('carries filters, sorting and the window, and answers with the total of the header', async () => {
    const { provider, lines } = wire([{ id: '1' }], 260)
    const answer = await provider.getList({
      resource: 'site',
      filters: [
        { field: 'status', operator: 'in', value: ['A', 'B'] },
        { field: 'name', operator: 'contains', value: 'A&B + 50%' },
        { field: 'ownerId', operator: 'null', value: true },
        { field: 'power', operator: 'gte', value: 5 },
        { field: 'kind', operator: 'nin', value: ['X'] },
        { field: 'q', operator: 'eq', value: ' wind ' },
      ],
      sorters: [
        { field: 'name', order: 'desc' },
        { field: 'id', order: 'asc' },
      ],
      pagination: { currentPage: 3, pageSize: 25 },
    })
    expect(answer).toEqual({ data: [{ id: '1' }], total: 260 })
    expect(lines()).toEqual([
      'GET /site?status=A&status=B&name_like=A%26B+%2B+50%25&ownerId_null=true&power_gte=5&kind_ne=X&q=wind&_start=50&_end=75&_sort=name%2Cid&_order=desc%2Casc',
    ])
  })

  it('knows the total of a server that tells none by the page that is not full, and not before', async () => {
    const page = (rows: number, currentPage: number, told?: number) =>
      wire(
        Array.from({ length: rows }, (_, id) => ({ id })),
        told,
      )
        .provider.getList({ resource: 'site', pagination: { currentPage, pageSize: 2 } })
        .then(({ total }) => total)
    expect(await page(2, 1)).toBe(Number.POSITIVE_INFINITY)
    expect(await page(1, 2)).toBe(3)
    expect(await page(0, 1)).toBe(0)
    expect(await page(2, 1, 2)).toBe(2)
    expect(await page(0, 1, 0)).toBe(0)
  })

  it('leaves out a filter without a value and refuses an operator that the contract does not have', async () => {
    const { provider, lines } = wire()
    await provider.getList({ resource: 'site', filters: [{ field: 'status', operator: 'in', value: [] }] })
    expect(lines()).toEqual(['GET /site?_start=0&_end=10'])
    const refused = provider.getList({ resource: 'site', filters: [{ field: 'name', operator: 'startswith', value: 'A' }] })
    await expect(refused).rejects.toThrow('startswith')
  })

  it('reads from the path that the definition names', async () => {
    const { provider, lines } = wire()
    await provider.getList({ resource: 'owner' })
    expect(lines()).toEqual(['GET /person/owner?_start=0&_end=10'])
  })

  it('reads a related list and the choices of a reference from the paths that definitions name', async () => {
    const { provider, lines } = wire()
    await provider.getList({ resource: 'guest', meta: { from: 'site/7/guest' } })
    await provider.getList({ resource: 'person', meta: { from: 'person/active?role=owner' } })
    expect(lines()).toEqual(['GET /site/7/guest?_start=0&_end=10', 'GET /person/active?role=owner&_start=0&_end=10'])
  })

  it.each(['person', 'site/../person/guest', 'site/7/guest?x=1', 'site/7/9/guest', 'https://example.org/guest'])(
    'takes no other path from outside: %s',
    async (from) => {
      const { provider, lines } = wire()
      await provider.getList({ resource: 'site', meta: { from } })
      expect(lines()).toEqual(['GET /site?_start=0&_end=10'])
    },
  )

  it('asks for many records at once, each id once', async () => {
    const { provider, lines } = wire([{ id: 'a' }, { id: 'b' }])
    const answer = await provider.getMany?.({ resource: 'site', ids: ['a', 'b', 'a'] })
    expect(answer?.data).toHaveLength(2)
    expect(lines()).toEqual(['GET /site?id=a&id=b&_start=0&_end=2'])
  })

  it('asks for more ids than one page holds in several calls', async () => {
    const { provider, lines } = wire([])
    await provider.getMany?.({ resource: 'site', ids: Array.from({ length: 201 }, (_, index) => `i${index}`) })
    expect(lines()).toHaveLength(2)
  })

  it('stops a request whose screen is gone', async () => {
    const { provider, sent } = wire()
    const { signal } = new AbortController()
    await provider.getList({ resource: 'site', meta: { queryContext: { queryKey: [], signal, client: new QueryClient() } } })
    expect(sent[0]?.signal).toBe(signal)
  })
})

describe('what a page address may change', () => {
  it.each(['getList', 'getOne', 'create', 'update', 'deleteOne'] as const)('is nothing in %s', async (method) => {
    const { provider, sent, lines } = wire({ id: '1' })
    const meta = { method: 'delete', headers: { x: '1' }, from: 'person', onProgress: 'x', signal: 'x', url: '/evil' }
    await call(provider[method], { resource: 'site', id: '1', variables: { name: 'n', version: 1 }, meta })
    const verbs = { getList: 'GET', getOne: 'GET', create: 'POST', update: 'PUT', deleteOne: 'DELETE' }
    expect(lines()[0]?.split(' ')[0]).toBe(verbs[method])
    expect(lines()[0]).toContain('/site')
    expect(sent[0]?.headers.get('x')).toBeFalsy()
    expect(sent[0]?.onUploadProgress).toBeUndefined()
  })
})

describe('records on the wire', () => {
  it('reads one record by an encoded id', async () => {
    const { provider, lines } = wire({ id: 'a/b' })
    await provider.getOne({ resource: 'owner', id: 'a/b?c' })
    expect(lines()).toEqual(['GET /person/a%2Fb%3Fc'])
  })

  it.each(['', '.', '..'])('refuses “%s” as an id', async (id) => {
    const { provider, lines } = wire()
    await expect(provider.getOne({ resource: 'site', id })).rejects.toThrow('No id provided')
    expect(lines()).toEqual([])
  })

  it('creates a record of a subset in its table, with the values that make it one', async () => {
    const { provider, lines, body } = wire({ id: '1' })
    await provider.create({ resource: 'owner', variables: { email: 'a@example.com', role: 'admin' } })
    expect(lines()).toEqual(['POST /person'])
    expect(JSON.parse(body())).toEqual({ email: 'a@example.com', role: 'owner' })
  })

  it('updates by PUT with the version that was read, on the path of the definition', async () => {
    const { provider, lines, body } = wire({ id: '1' })
    await provider.update({ resource: 'owner', id: '1', variables: { email: 'b@example.com', version: 4 } })
    expect(lines()).toEqual(['PUT /person/1/profile'])
    expect(JSON.parse(body())).toEqual({ email: 'b@example.com', version: 4 })
  })

  it('updates by PATCH where the server would drop what a PUT does not name', async () => {
    const { provider, lines } = wire({ id: '1' }, undefined, { updateMethod: 'patch' })
    await provider.update({ resource: 'site', id: '1', variables: { name: 'b' } })
    expect(lines()).toEqual(['PATCH /site/1'])
  })

  it('deletes without a body, or with one', async () => {
    const { provider, sent, lines } = wire(null)
    await provider.deleteOne({ resource: 'site', id: '1' })
    await provider.deleteOne({ resource: 'site', id: '1', variables: { reason: 'sold' } })
    expect(lines()).toEqual(['DELETE /site/1', 'DELETE /site/1'])
    expect(sent[0]?.data).toBeUndefined()
    expect(JSON.parse(sent[1]?.data)).toEqual({ reason: 'sold' })
  })

  it('repeats the key of an array without brackets', async () => {
    const { provider, lines } = wire({})
    await provider.custom?.({ url: '/telemetry', method: 'get', query: { channel: ['socPct', 'gridPowerW'] } })
    expect(lines()[0]?.replace('?&', '?')).toBe('GET /telemetry?channel=socPct&channel=gridPowerW')
  })

  it.each(['post', 'put', 'delete'] as const)('carries the query of a %s in its address', async (method) => {
    const { provider, lines } = wire({})
    await provider.custom?.({ url: '/import/site', method, query: { map: 'code,,name', dryRun: 'true' } })
    expect(lines()).toEqual([`${method.toUpperCase()} /import/site?map=code%2C%2Cname&dryRun=true`])
  })

  it('sends a file as the single field of a multipart body and tells how far it is', async () => {
    const { provider, body, sent } = wire({ id: '1' })
    const shares: number[] = []
    const file = new File(['firmware'], 'fw.bin')
    const meta = { onProgress: (share: number) => shares.push(share) }
    await provider.create({ resource: 'site', variables: { file, name: 'x' }, meta })
    expect([...(body() as FormData).keys()]).toEqual(['file'])
    sent[0]?.onUploadProgress?.({ loaded: 4, total: 8, bytes: 4, lengthComputable: true })
    expect(shares).toEqual([0.5])
  })
})

describe('what an answer must hold', () => {
  it('is told with each call: rows of a list, a record of a read and of a write', async () => {
    const { provider, sent } = wire({ id: '1' })
    const one = { resource: 'site', id: '1', ids: ['1'], variables: { name: 'A' } }
    for (const method of [provider.getList, provider.getOne, provider.create, provider.update, provider.deleteOne])
      await call(method, one)
    expect(sent.map(({ method, shape }) => `${method} ${shape}`)).toEqual([
      'get rows',
      'get record',
      'post record',
      'put record',
      'delete undefined',
    ])
  })
})
