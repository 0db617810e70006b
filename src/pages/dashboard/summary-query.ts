import type { BaseRecord, DataProvider } from '@refinedev/core'
import type { QueryFunctionContext } from '@tanstack/react-query'
import type { Summary } from '#schema/wire/summary.ts'

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' &&
  value !== null &&
  'view' in value &&
  ['staff', 'client', 'installer'].includes(String(value.view))

export function summaryQuery(data: DataProvider, zone: string | undefined) {
  const shownZone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    queryKey: ['dashboard', shownZone],
    queryFn: async (context: QueryFunctionContext): Promise<Summary | 'none'> => {
      const answer = await data
        .custom?.<BaseRecord>({
          url: 'dashboard/summary',
          method: 'get',
          query: { zone: shownZone },
          meta: { queryContext: context, quiet: true },
        })
        .catch((error) => {
          if (error.statusCode !== 404) throw error
        })
      const summary: unknown = answer?.data
      // A third-party server may have lists without a summary.
      return isSummary(summary) ? summary : 'none'
    },
  }
}
