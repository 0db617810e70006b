import { useMany } from '@refinedev/core'
import { useMemo } from 'react'
import { useDefinitions, useMay } from '#fields/definitions.tsx'
import { recordName } from './reference-summary.ts'

/** Names of records by id, loaded in one request; records that the viewer may not list stay unknown. */
export function useReferenceTitles(to: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const target = useDefinitions().get(to)
  const may = useMay()
  const { result } = useMany({
    resource: to,
    ids: [...ids],
    errorNotification: false,
    queryOptions: { enabled: ids.length > 0 && may(to, 'list') },
  })
  return useMemo(
    () => new Map(result.data.map((record) => [String(record.id), recordName(target, record) ?? String(record.id)])),
    [result.data, target],
  )
}
