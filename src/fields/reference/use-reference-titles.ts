import { useMany } from '@refinedev/core'
import { useMemo } from 'react'
import { useDefinitions, useMay, useViewer } from '#fields/definitions.tsx'
import { recordName } from './reference-summary.ts'

/** Names of records by id, loaded in one request; of records that the viewer may not list only the own name is known. */
export function useReferenceTitles(to: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const target = useDefinitions().get(to)
  const may = useMay()
  const { id, name } = useViewer()
  const { result } = useMany({
    resource: to,
    ids: [...ids],
    errorNotification: false,
    queryOptions: { enabled: ids.length > 0 && may(to, 'list') },
  })
  return useMemo(() => {
    const own: [string, string][] = name === undefined ? [] : [[id, name]]
    const loaded = result.data.map((record): [string, string] => [
      String(record.id),
      recordName(target, record) ?? String(record.id),
    ])
    return new Map([...own, ...loaded])
  }, [result.data, target, id, name])
}
