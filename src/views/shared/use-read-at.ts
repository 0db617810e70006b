import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { recordKey } from './record-cache.ts'

/** Time of a record's last fetch: dependent data may have changed even if its values did not. */
export function useReadAt(resource: string, id: string): number {
  const client = useQueryClient()
  const key = useMemo(() => recordKey(resource, id), [resource, id])
  const subscribe = useCallback(
    (listener: () => void) => {
      const hash = hashKey(key)
      return client.getQueryCache().subscribe(({ query }) => query.queryHash === hash && listener())
    },
    [client, key],
  )
  return useSyncExternalStore(subscribe, () => client.getQueryState(key)?.dataUpdatedAt ?? 0)
}
