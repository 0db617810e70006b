import { type BaseRecord, type GetListResponse, type GetOneResponse, keys } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'

/** The cache keys that Refine's own hooks use. */
export const recordKey = (resource: string, id: string): unknown[] =>
  keys().data('default').resource(resource).action('one').id(id).params({}).get()
const listsKey = (resource: string): unknown[] => keys().data('default').resource(resource).action('list').get()

/** The row of a record in any list that has been loaded: shown while the record itself is on its way. */
export function knownRow(client: QueryClient, resource: string, id: string): BaseRecord | undefined {
  const lists = client.getQueriesData<GetListResponse<BaseRecord>>({ queryKey: listsKey(resource) })
  return lists.flatMap(([, list]) => list?.data ?? []).find((row) => String(row.id) === id)
}

/** Puts an answered record into the cache, so that its page shows it at once. */
export function rememberRecord(client: QueryClient, resource: string, record: BaseRecord): void {
  if (record.id === undefined) return
  client.setQueryData<GetOneResponse<BaseRecord>>(recordKey(resource, String(record.id)), { data: record })
}
