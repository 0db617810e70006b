import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import type { Summary } from '#schema/summary.ts'

const refreshMs = 30_000

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' &&
  value !== null &&
  'view' in value &&
  ['staff', 'client', 'installer'].includes(String(value.view))

/** What the first page shows, asked anew twice a minute and whenever the window is looked at again. */
export function useSummary() {
  const dataProvider = useDataProvider()
  return useQuery({
    queryKey: ['dashboard'],
    refetchInterval: refreshMs,
    queryFn: async (context): Promise<Summary | 'none'> => {
      const answer = await dataProvider().custom?.<BaseRecord>({
        url: 'dashboard/summary',
        method: 'get',
        meta: { queryContext: context, quiet: true },
      })
      const data: unknown = answer?.data
      // A server of another make has lists, but nothing that sums them up.
      return isSummary(data) ? data : 'none'
    },
  })
}
