import type { BaseRecord, DataProvider, GetListParams, GetListResponse } from '@refinedev/core'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, vi } from 'vitest'
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
  defineResource({
    name: 'log',
    label,
    fields: { about: fields.name, aboutId: fields.name },
    journal: {
      kind: 'about',
      id: 'aboutId',
      title: 'about',
      action: 'about',
      reason: 'about',
      before: 'about',
      after: 'about',
      columns: [],
    },
  }),
])

export const at = '2026-05-01T12:00:00.000Z'
export const updatedAt = '2026-05-01T11:00:00.000Z'
export const event = (id: string, part: Partial<LiveEvent> = {}): LiveEvent => ({
  resource: 'person',
  id,
  version: 2,
  type: 'updated',
  at,
  ...part,
})

/** Ends what a test has opened: for `afterEach`. */
export const stops: (() => void)[] = []
export function closeScreens(): void {
  for (const stop of stops.splice(0)) stop()
}

/** A server with three people, and the screens that show them. */
export function openScreens() {
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
    await held
    return { data, total: data.length }
  }
  /** Holds the answers to lists back, as they were when they were asked for, until it is called. */
  let held: Promise<void> | undefined
  const holdLists = () => {
    let answer = () => {}
    held = new Promise((resolve) => {
      answer = resolve
    })
    return () => {
      held = undefined
      answer()
    }
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
  return { client, cache, calls, stored, holdLists, showList, showOne, change, shown, rowsOf }
}

export const settle = (ms = 100) => new Promise((resolve) => setTimeout(resolve, ms))
