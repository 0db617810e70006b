import type { BaseRecord, DataProvider } from '@refinedev/core'
import type { QueryFunctionContext } from '@tanstack/react-query'
import type { Summary } from '#schema/wire/summary.ts'

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' &&
  value !== null &&
  'view' in value &&
  ['staff', 'client', 'installer'].includes(String(value.view))

/** Query of the summary for a time zone. */
export function summaryQuery(data: DataProvider, zone: string | undefined) {
  const shownZone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    queryKey: ['dashboard', shownZone],
    queryFn: async (context: QueryFunctionContext): Promise<Summary | 'none'> => {
      const answer = await data.custom?.<BaseRecord>({
        url: 'dashboard/summary',
        method: 'get',
        query: { zone: shownZone },
        meta: { queryContext: context, quiet: true },
      })
      const summary: unknown = answer?.data
      // A server of another make has lists, but nothing that sums them up.
      return isSummary(summary) ? summary : 'none'
    },
  }
}
