import { type BaseRecord, type DataProvider, type GetListResponse, keys } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'
import { listOf } from '#schema/definition.ts'
import { type ScreenState, screenState } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type ListSource, listParams } from './refine-query.ts'

export type Asked = Pick<ScreenState, 'filters' | 'sort' | 'q' | 'page' | 'limit'>

/** The state of a list by the query of its address, and what a plain address stands for. */
export function listState(resource: AnyResource, search: string, readable?: (path: string) => boolean) {
  const { sort, limit } = listOf(resource)
  const defaults = { sort: [sort], limit }
  const { dropped, ...state } = screenState(resource, new URLSearchParams(search), defaults, readable)
  return { state, dropped, defaults }
}

/** The cache key that Refine's own list hook uses. */
function listKey(resource: string, { filters, pagination, sorters, meta }: ReturnType<typeof listParams>): unknown[] {
  return keys()
    .data('default')
    .resource(resource)
    .action('list')
    .params({ ...meta, filters, pagination, sorters })
    .get()
}

type Cache = { client: QueryClient; data: DataProvider }

/** Puts a page of a list into the cache in which the list looks for it. */
export function prefetchRows({ client, data }: Cache, resource: string, asked: Asked, source?: ListSource): Promise<void> {
  const params = listParams(asked, source)
  return client.prefetchQuery({
    queryKey: listKey(resource, params),
    queryFn: ({ signal, queryKey }): Promise<GetListResponse<BaseRecord>> =>
      data.getList({ resource, ...params, meta: { ...params.meta, queryContext: { client, queryKey, signal } } }),
  })
}
