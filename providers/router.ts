import type { RouterProvider } from '@refinedev/core'
import { useCallback } from 'react'

/**
 * Refine merges the query parameters of the page into the `meta` of every data call, and its login hook follows `to` unseen.
 * Behind this router it learns which page is open, and nothing that a link could have slipped in.
 */
export function withoutParams(router: RouterProvider): RouterProvider {
  const { parse: useRouterParse } = router
  if (!useRouterParse) return router
  return {
    ...router,
    parse: () => {
      const parse = useRouterParse()
      return useCallback(() => ({ ...parse(), params: {} }), [parse])
    },
  }
}
