import { type BaseRecord, type DataProvider, type GetListResponse, keys } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'
import { listOf } from '#schema/definition.ts'
import { type ScreenState, screenState } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type ListSource, listParams } from './refine-query.ts'

export type PageQuery = Pick<ScreenState, 'filters' | 'sort' | 'q' | 'page' | 'limit'>

/** List state from an address, with the defaults of a plain address. */
export function listState(resource: AnyResource, search: string, readable?: (path: string) => boolean) {
  const { sort, limit } = listOf(resource)
  const defaults = { sort: [sort], limit }
  const { dropped, ...state } = screenState(resource, new URLSearchParams(search), defaults, readable)
  return { state, dropped, defaults }
}

/** Cache key of Refine's list hook. */
function listKey(resource: string, { filters, pagination, sorters, meta }: ReturnType<typeof listParams>): unknown[] {
  return keys()
    .data('default')
    .resource(resource)
    .action('list')
    .params({ ...meta, filters, pagination, sorters })
    .get()
}

type Cache = { client: QueryClient; data: DataProvider }

/** Prefetches a page of a list into the query cache. */
export function prefetchRows({ client, data }: Cache, resource: string, asked: PageQuery, source?: ListSource): Promise<void> {
  const params = listParams(asked, source)
  return client.prefetchQuery({
    queryKey: listKey(resource, params),
    queryFn: ({ signal, queryKey }): Promise<GetListResponse<BaseRecord>> =>
      data.getList({ resource, ...params, meta: { ...params.meta, queryContext: { client, queryKey, signal } } }),
  })
}
