import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { usePermissions } from '#fields/definitions.tsx'
import { type ScreenState, screenParams } from '#schema/list-query.ts'
import { isReadable } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { listState } from './prefetch-rows.ts'

/** `columns: undefined` restores the definition's columns. */
export type ScreenChange = Omit<Partial<ScreenState>, 'columns'> & { columns?: readonly string[] | undefined }

export type ListQueryControl = {
  state: ScreenState
  /** Query parameters that the definition does not know. */
  dropped: readonly string[]
  /** Navigates to the changed state, as a new history entry unless `replace`. Changed filters reset the page to 1. */
  change: (part: ScreenChange, options?: { replace?: boolean }) => void
  href: (part: ScreenChange) => string
}

const keepsPage = (part: ScreenChange) => 'page' in part || ('columns' in part && Object.keys(part).length === 1)

/** State of a list. The address is its only store, so links, Back, Forward and pasted addresses work. */
export function useListQuery(resource: AnyResource): ListQueryControl {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const permissions = usePermissions()
  const { state, dropped, defaults } = useMemo(
    () => listState(resource, search, (path) => isReadable(permissions, resource.name, path)),
    [resource, search, permissions],
  )

  const href = useCallback(
    (part: ScreenChange) => {
      const { columns: _, ...rest } = state
      const { columns = 'columns' in part ? undefined : state.columns, ...others } = part
      const sort = others.sort ?? state.sort
      const ordered = { sort: sort.length > 0 ? sort : defaults.sort }
      const next = { ...rest, ...(keepsPage(part) ? {} : { page: 1 }), ...others, ...ordered, ...(columns ? { columns } : {}) }
      const params = screenParams(next, defaults).toString()
      return params ? `${pathname}?${params}` : pathname
    },
    [state, defaults, pathname],
  )
  const change = useCallback(
    (part: ScreenChange, options: { replace?: boolean } = {}) => {
      const next = href(part)
      if (next !== `${pathname}${search}`) navigate(next, { replace: options.replace ?? false, preventScrollReset: true })
    },
    [href, navigate, pathname, search],
  )
  return { state, dropped, change, href }
}
