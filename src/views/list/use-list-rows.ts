import { useDataProvider, useList } from '@refinedev/core'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { whenIdle } from '#ui/layout/when-idle.ts'
import { type Asked, prefetchRows } from './prefetch-rows.ts'
import { type ListSource, listParams } from './refine-query.ts'

const ownList: ListSource = {}

/** A page of a list; previous rows stay until the new ones arrive. The next page is prefetched when idle. */
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
    (page: number) => prefetchRows({ client, data: dataProvider() }, resource, { ...asked, page }, source),
    [asked, source, client, dataProvider, resource],
  )

  const hasNext = total !== undefined && asked.page * asked.limit < total && !query.isPlaceholderData
  useEffect(() => (hasNext ? whenIdle(() => void prefetch(asked.page + 1)) : undefined), [hasNext, prefetch, asked.page])

  return { query, rows: query.data?.data, total, prefetch }
}
