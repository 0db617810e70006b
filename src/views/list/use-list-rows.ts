import { type BaseRecord, type GetListResponse, keys, useDataProvider, useList } from '@refinedev/core'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { ScreenState } from '#schema/list-query.ts'
import { whenIdle } from '#ui/layout/when-idle.ts'
import { type ListSource, listParams } from './refine-query.ts'

type Asked = Pick<ScreenState, 'filters' | 'sort' | 'q' | 'page' | 'limit'>

/** The cache key that Refine's own list hook uses. */
function listKey(resource: string, params: ReturnType<typeof listParams>): unknown[] {
  const { filters, pagination, sorters, meta } = params
  return keys()
    .data('default')
    .resource(resource)
    .action('list')
    .params({ ...meta, filters, pagination, sorters })
    .get()
}

const ownList: ListSource = {}

/** A page of a list; the rows of before stay until the new ones are there. The next page is fetched when the browser rests. */
export function useListRows(resource: string, asked: Asked, source: ListSource = ownList) {
  const client = useQueryClient()
  const dataProvider = useDataProvider()
  const { query } = useList({
    resource,
    ...listParams(asked, source),
    errorNotification: false,
    queryOptions: { placeholderData: keepPreviousData },
  })
  const total = query.data?.total

  const prefetch = useCallback(
    (page: number) => {
      const params = listParams({ ...asked, page }, source)
      return client.prefetchQuery({
        queryKey: listKey(resource, params),
        queryFn: ({ signal, queryKey }): Promise<GetListResponse<BaseRecord>> =>
          dataProvider().getList({ resource, ...params, meta: { ...params.meta, queryContext: { client, queryKey, signal } } }),
      })
    },
    [asked, source, client, dataProvider, resource],
  )

  const hasNext = total !== undefined && asked.page * asked.limit < total && !query.isPlaceholderData
  useEffect(() => (hasNext ? whenIdle(() => void prefetch(asked.page + 1)) : undefined), [hasNext, prefetch, asked.page])

  return { query, rows: query.data?.data, total, prefetch }
}
