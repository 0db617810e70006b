import type { Providers } from '#providers/index.ts'
import { type Definitions, routeOf } from '#schema/definition.ts'
import { isAllowed, isReadable, type Permissions } from '#schema/permissions.ts'
import { listState, prefetchRows } from '#views/list/prefetch-rows.ts'
import { prefetchRecord } from '#views/shared/use-record.ts'
import { screensOf } from './early-plan.ts'

export type PrefetchOptions = {
  providers: Pick<Providers, 'queryClient' | 'data'>
  definitions: Definitions
  permissions: Permissions
  zone: string | undefined
}

/**
 * Puts the first data of an address into the cache: of the dashboard, a list or a record, as far as the session may see it. The
 * dashboard's data names code that it is drawn with, which is fetched, too.
 */
export async function prefetchPage(
  { providers: { queryClient: client, data }, definitions, permissions, zone }: PrefetchOptions,
  { pathname, search }: { pathname: string; search: string },
): Promise<void> {
  if (pathname === '/') {
    const { dashboardCode } = await import('./pages/dashboard/dashboard-code.ts')
    return dashboardCode.prefetch(client, data, zone)
  }
  const [section, id] = pathname.split('/').filter(Boolean)
  const resource = [...definitions.values()].find((each) => routeOf(each) === section)
  const [screen] = screensOf(pathname)
  if (!resource || !screen || screen === 'form' || !isAllowed(permissions, resource.name, screen)) return
  const readable = (path: string) => isReadable(permissions, resource.name, path)
  if (screen === 'list') return prefetchRows({ client, data }, resource.name, listState(resource, search, readable).state)
  const decodedId = id === undefined ? '' : decodeURIComponent(id).trim()
  if (decodedId) await prefetchRecord(client, data, resource.name, decodedId)
}
