import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import type { Row } from '#fields/field-kind.ts'

/** Frames of one request share their arrival time: the predecessor is searched among this many. */
const looked = 50

const keyOf = (row: BaseRecord) => `${row.receivedAt} ${row.id}`

/** The last valid packet of the same board and type before this one; null when there is none. */
export function useLastValid(resource: string, record: Row, isWanted: boolean) {
  const dataProvider = useDataProvider()
  const { controlPcbId, type, receivedAt } = record
  return useQuery({
    queryKey: ['last-valid', resource, record.id],
    enabled: isWanted && typeof controlPcbId === 'string',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (context): Promise<BaseRecord | null> => {
      const meta = { queryContext: context, quiet: true }
      const { data } = await dataProvider().getList<BaseRecord>({
        resource,
        filters: [
          { field: 'controlPcbId', operator: 'eq', value: controlPcbId },
          { field: 'type', operator: 'eq', value: type },
          { field: 'status', operator: 'eq', value: 'VALID' },
          { field: 'receivedAt', operator: 'lte', value: receivedAt },
        ],
        sorters: [{ field: 'receivedAt', order: 'desc' }],
        pagination: { pageSize: looked },
        meta,
      })
      const before = data
        .filter((row) => keyOf(row) < `${receivedAt} ${record.id}`)
        .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
      const id = before[0]?.id
      if (id === undefined) return null
      return (await dataProvider().getOne<BaseRecord>({ resource, id, meta })).data
    },
  })
}
