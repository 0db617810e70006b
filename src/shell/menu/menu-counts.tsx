import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { menuCountOf } from '#schema/figures.ts'
import { isObject } from '#schema/is-object.ts'
import { isAllowed } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type MenuCounts as Counts, menuCountsPath } from '#schema/wire/menu-counts.ts'

const isCounted = (resource: AnyResource) => Boolean(menuCountOf(resource) ?? resource.list?.inbox)

/** A third-party server may have no counts: the menu then shows none. */
const readCounts = (data: unknown): Counts =>
  Object.fromEntries(
    Object.entries(isObject(data) ? data : {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )

/** Keeps the menu counts current: one small request, repeated after events of counted lists. Renders nothing. */
export function MenuCounts({ onCounts }: { onCounts: (counts: Counts) => void }) {
  const dataProvider = useDataProvider()
  const { definitions, permissions, viewer } = useConsole()
  const counted = [...definitions.values()].filter(isCounted).map(({ name }) => name)
  const { data } = useQuery({
    queryKey: ['menu-counts', viewer.id],
    queryFn: async (queryContext) => {
      const answer = await dataProvider().custom?.({
        url: menuCountsPath,
        method: 'get',
        meta: { queryContext, quiet: true },
      })
      return readCounts(answer?.data)
    },
    // A client has no counted entries, so no request is sent.
    enabled: counted.some((name) => isAllowed(permissions, name, 'list')),
    retry: false,
    meta: { live: counted },
  })
  useEffect(() => {
    if (data) onCounts(data)
  }, [data, onCounts])
  return null
}
