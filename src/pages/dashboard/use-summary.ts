import '#schema/later/dashboard-figures.ts'
import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '#fields/definitions.tsx'
import { figuresOf } from '#schema/figures.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Summary } from '#schema/wire/summary.ts'
import { summaryQuery } from './summary-query.ts'

const refreshMs = 30_000
const refreshSoonMs = 5_000

function refreshAfterMs(summary: Summary | 'none' | undefined): number | false {
  // A server without a summary is asked once.
  if (summary === 'none') return false
  return summary?.view === 'staff' && summary.isRefreshing ? refreshSoonMs : refreshMs
}

/** Resources whose changes affect a figure. */
const sourcesOf = (resources: Iterable<AnyResource>): string[] => [
  ...new Set(
    figuresOf(resources).flatMap(({ resource, figure }) =>
      figure.by !== undefined && figure.states ? [resource.name, figure.states.resource] : [resource.name],
    ),
  ),
]

/** Dashboard summary; refetched twice a minute, after changes and on focus, and sooner while newer figures are counted. */
export function useSummary() {
  const dataProvider = useDataProvider()
  const { zone, definitions } = useConsole()
  return useQuery({
    ...summaryQuery(dataProvider(), zone),
    meta: { live: sourcesOf(definitions.values()) },
    refetchInterval: ({ state }) => refreshAfterMs(state.data),
  })
}
