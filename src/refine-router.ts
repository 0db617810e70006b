import {
  type IResourceItem,
  matchResourceFromRoute,
  type ParseResponse,
  ResourceContext,
  type RouterProvider,
} from '@refinedev/core'
import { useCallback, useContext } from 'react'
import { matchPath, useLocation } from 'react-router'

function parsePath(pathname: string, resources: IResourceItem[]): ParseResponse {
  const { resource, action, matchedRoute } = matchResourceFromRoute(pathname, resources)
  const id = matchedRoute ? matchPath(matchedRoute, pathname)?.params.id : undefined
  return {
    pathname,
    params: {},
    ...(resource && { resource }),
    ...(action && { action }),
    ...(id && { id: decodeURIComponent(id) }),
  }
}

/** The page of one address: dozens of hooks ask for it in one drawing of a screen, and each would go through every route again. */
function parsedOnce(): typeof parsePath {
  let last: { pathname: string; resources: IResourceItem[]; page: ParseResponse } | undefined
  return (pathname, resources) => {
    if (last?.pathname !== pathname || last.resources !== resources)
      last = { pathname, resources, page: parsePath(pathname, resources) }
    return last.page
  }
}

/**
 * Refine merges the query parameters of the page into the `meta` of every data call, and its login hook follows `to` unseen.
 * Behind this router it learns which page is open, and nothing that a link could have slipped in.
 */
export function withoutParams(router: RouterProvider): RouterProvider {
  const parsed = parsedOnce()
  return {
    ...router,
    parse: () => {
      const { pathname } = useLocation()
      const { resources } = useContext(ResourceContext)
      return useCallback(() => parsed(pathname, resources), [pathname, resources])
    },
  }
}
