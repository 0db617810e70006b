import type { DataProvider } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'
import type { Summary } from '#schema/wire/summary.ts'
import { DashboardPage } from './dashboard-page.tsx'
import { summaryQuery } from './summary-query.ts'
import { preloadView } from './view-code.ts'

/** Puts the summary into the cache, and fetches the code that it is drawn with. */
async function prefetch(client: QueryClient, data: DataProvider, zone: string | undefined): Promise<void> {
  const query = summaryQuery(data, zone)
  await client.prefetchQuery(query)
  await preloadView(client.getQueryData<Summary | 'none'>(query.queryKey))
}

/** The dashboard and its first data, in one chunk. */
export const dashboardCode = { Page: DashboardPage, prefetch }
