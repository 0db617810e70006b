import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '#fields/definitions.tsx'
import { figuresOf } from '#schema/figures.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Summary } from '#schema/wire/summary.ts'

const refreshMs = 30_000

/** Resources whose changes change a figure. */
const sourcesOf = (resources: Iterable<AnyResource>): string[] => [
  ...new Set(
    figuresOf(resources).flatMap(({ resource, figure }) =>
      figure.by !== undefined && figure.states ? [resource.name, figure.states.resource] : [resource.name],
    ),
  ),
]

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' &&
  value !== null &&
  'view' in value &&
  ['staff', 'client', 'installer'].includes(String(value.view))

/** Summary of the dashboard; refetched twice a minute, after changes and on focus. */
export function useSummary() {
  const dataProvider = useDataProvider()
  const { zone: own, definitions } = useConsole()
  const zone = own ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return useQuery({
    queryKey: ['dashboard', zone],
    meta: { live: sourcesOf(definitions.values()) },
    refetchInterval: refreshMs,
    queryFn: async (context): Promise<Summary | 'none'> => {
      const answer = await dataProvider().custom?.<BaseRecord>({
        url: 'dashboard/summary',
        method: 'get',
        query: { zone },
        meta: { queryContext: context, quiet: true },
      })
      const data: unknown = answer?.data
      // A server of another make has lists, but nothing that sums them up.
      return isSummary(data) ? data : 'none'
    },
  })
}
