import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { recordKey } from './record-cache.ts'

/** When a record was last read, by whomever: its values may be the same, but what hangs on it may have changed. */
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
