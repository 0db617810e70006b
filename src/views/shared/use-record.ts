import { type BaseRecord, type DataProvider, type GetOneResponse, useDataProvider, useOne } from '@refinedev/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { knownRow, recordKey } from './record-cache.ts'

/** A record by id; no request without one. While loading, its list row is the placeholder, never another record. */
export function useRecord(resource: string, id: string | undefined) {
  const client = useQueryClient()
  const { query } = useOne({
    resource,
    id: id ?? '',
    errorNotification: false,
    queryOptions: {
      ...(id === undefined ? { enabled: false } : {}),
      placeholderData: () => {
        const row = id === undefined ? undefined : knownRow(client, resource, id)
        return row && { data: row }
      },
    },
  })
  const record: BaseRecord | undefined = query.data?.data
  return {
    record: record && String(record.id) === id ? record : undefined,
    /** True while only the list row is known. */
    isPartial: query.isPlaceholderData,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

/** Prefetches a record into the query cache. */
export function prefetchRecord(client: QueryClient, data: DataProvider, resource: string, id: string): Promise<void> {
  return client.prefetchQuery({
    queryKey: recordKey(resource, id),
    queryFn: ({ signal, queryKey }): Promise<GetOneResponse<BaseRecord>> =>
      data.getOne({ resource, id, meta: { queryContext: { client, queryKey, signal } } }),
  })
}

/** Prefetches a record that is about to be opened. */
export function useRecordPrefetch(resource: string): (id: string) => void {
  const client = useQueryClient()
  const dataProvider = useDataProvider()
  return useCallback((id) => void prefetchRecord(client, dataProvider(), resource, id), [client, dataProvider, resource])
}
