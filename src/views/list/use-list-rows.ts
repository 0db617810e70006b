import { useDataProvider, useList } from '@refinedev/core'
import { keepPreviousData, replaceEqualDeep, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { valueAt } from '#schema/rule.ts'
import { whenIdle } from '#ui/layout/when-idle.ts'
import { type PageQuery, prefetchRows } from './prefetch-rows.ts'
import { type ListSource, listParams } from './refine-query.ts'

const ownList: ListSource = {}

const firstRow = (answer: unknown) => valueAt(answer, 'data.0.id')

/** An unchanged row stays the same object. Another page has no row in common: it is not compared. */
const sharedRows = (before: unknown, after: unknown) =>
  firstRow(before) === firstRow(after) ? replaceEqualDeep(before, after) : after

/** A page of a list; previous rows stay until the new ones arrive. The next page is prefetched when idle. */
export function useListRows(resource: string, asked: PageQuery, source: ListSource = ownList) {
  const client = useQueryClient()
  const dataProvider = useDataProvider()
  const { query } = useList({
    resource,
    ...listParams(asked, source),
    errorNotification: false,
    queryOptions: { placeholderData: keepPreviousData, structuralSharing: sharedRows },
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
