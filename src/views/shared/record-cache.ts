import { type BaseRecord, type GetListResponse, type GetOneResponse, keys } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'

/** Cache keys of Refine's own hooks. */
export const recordKey = (resource: string, id: string): unknown[] =>
  keys().data('default').resource(resource).action('one').id(id).params({}).get()
const listsKey = (resource: string): unknown[] => keys().data('default').resource(resource).action('list').get()

/** The record's row in any loaded list: a placeholder while the record loads. */
export function knownRow(client: QueryClient, resource: string, id: string): BaseRecord | undefined {
  const lists = client.getQueriesData<GetListResponse<BaseRecord>>({ queryKey: listsKey(resource) })
  return lists.flatMap(([, list]) => list?.data ?? []).find((row) => String(row.id) === id)
}

/** Writes a response into the cache, so that the record's page shows it at once. */
export function rememberRecord(client: QueryClient, resource: string, record: BaseRecord): void {
  if (record.id === undefined) return
  client.setQueryData<GetOneResponse<BaseRecord>>(recordKey(resource, String(record.id)), { data: record })
}
