import { type BaseKey, type BaseRecord, useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import type { Row } from '#fields/field-kind.ts'

/** Frames of one request share their arrival time: the predecessor is searched among this many. */
const looked = 50

const keyOf = (row: BaseRecord) => `${row.receivedAt} ${row.id}`

/**
 * The last valid packet of the same board and type before this one; null when there is none, which is known at once: a
 * comparison that cannot be made is not on offer. Its bytes come when they are wanted.
 */
export function useLastValid(resource: string, record: Row, isWanted: boolean) {
  const dataProvider = useDataProvider()
  const { controlPcbId, type, receivedAt } = record
  const before = useQuery({
    queryKey: ['valid-before', resource, record.id],
    enabled: typeof controlPcbId === 'string',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (context): Promise<BaseKey | null> => {
      if (typeof type !== 'string') return null
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
        meta: { queryContext: context, quiet: true },
      })
      const older = data
        .filter((row) => keyOf(row) < `${receivedAt} ${record.id}`)
        .toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
      return older[0]?.id ?? null
    },
  })
  const id = before.data
  const packet = useQuery({
    queryKey: ['last-valid', resource, id],
    enabled: isWanted && typeof id === 'string',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (context): Promise<BaseRecord> => {
      const meta = { queryContext: context, quiet: true }
      return (await dataProvider().getOne<BaseRecord>({ resource, id: id ?? '', meta })).data
    },
  })
  return { data: id === null ? null : packet.data, error: before.error ?? packet.error }
}
