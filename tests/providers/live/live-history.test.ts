import type { DataProvider } from '@refinedev/core'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { LiveCache } from '#providers/live/live-cache.ts'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'

const label = { one: ['One', 'Один'], many: ['Many', 'Много'] } as const
const text = { type: 'text', label: ['Name', 'Имя'] } as const
const json = { type: 'json', label: ['Values', 'Значения'] } as const
const definitions = definitionsOf([
  defineResource({ name: 'person', label, live: true, fields: { name: text } }),
  defineResource({ name: 'tooth', label, fields: { name: text } }),
  defineResource({
    name: 'log',
    label,
    fields: { kind: text, of: text, name: text, values: json },
    journal: {
      kind: 'kind',
      id: 'of',
      title: 'name',
      action: 'name',
      reason: 'name',
      before: 'values',
      after: 'values',
      columns: ['name'],
    },
  }),
])

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

it('a change brings the history of its record up to date, and that of no other', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const cache = new LiveCache({ client, data: {} as DataProvider, definitions, times: { gatherMs: 5, matchMs: 400 } })
  const asked: string[] = []
  for (const id of ['a', 'b']) {
    const filters = [
      { field: 'kind', operator: 'eq', value: 'person' },
      { field: 'of', operator: 'eq', value: id },
    ]
    const queryFn = async () => asked.push(id)
    const observer = new QueryObserver(client, { queryKey: ['data', 'default', 'log', 'list', { filters }], queryFn })
    stops.push(observer.subscribe(() => undefined))
  }
  stops.push(
    () => cache.stop(),
    () => client.clear(),
  )
  await vi.waitFor(() => expect(asked).toEqual(['a', 'b']))
  // The row may be as it was: a new key of a board stands in its history alone.
  cache.take({ resource: 'person', id: 'a', version: 1, type: 'updated', at: '2026-05-01T12:00:00.000Z' })
  await vi.waitFor(() => expect(asked).toEqual(['a', 'b', 'a']))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked).toEqual(['a', 'b', 'a'])
})

it('a change brings the rows below its record up to date that have no events of their own', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const cache = new LiveCache({ client, data: {} as DataProvider, definitions, times: { gatherMs: 5, matchMs: 50 } })
  const asked: string[] = []
  for (const id of ['a', 'b']) {
    const queryFn = async () => asked.push(id)
    const queryKey = ['data', 'default', 'tooth', 'list', { from: `person/${id}/teeth` }]
    stops.push(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined))
  }
  stops.push(
    () => cache.stop(),
    () => client.clear(),
  )
  await vi.waitFor(() => expect(asked).toEqual(['a', 'b']))
  cache.take({ resource: 'person', id: 'b', version: 2, type: 'updated', at: '2026-05-01T12:00:00.000Z' })
  await vi.waitFor(() => expect(asked).toEqual(['a', 'b', 'b']))
})
