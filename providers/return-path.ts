import type { RouterProvider } from '@refinedev/core'

const home = '/'
const signIn = '/login'
const here = 'http://here.invalid'

/**
 * A path of this console to go to after signing in. Anything that a browser could take for another place (`//evil`, `/\evil`,
 * `javascript:`), or the sign-in page itself, becomes the first page.
 */
export function safePath(to: unknown): string {
  if (typeof to !== 'string' || !to.startsWith('/') || !URL.canParse(to, here)) return home
  const { origin, pathname, search, hash } = new URL(to, here)
  // Resolving dots can bring two slashes together: /.//evil.
  if (origin !== here || pathname.startsWith('//') || pathname === signIn) return home
  return pathname + search + hash
}

/** The sign-in page that leads back to `from`. */
export function signInPath(from: string): string {
  const to = safePath(from)
  return to === home ? signIn : `${signIn}?to=${encodeURIComponent(to)}`
}

type Parse = ReturnType<NonNullable<RouterProvider['parse']>>

/** Refine's login hook follows the address's `to` as it is: behind this router it only ever sees a safe one. */
export function withSafeReturn(router: RouterProvider): RouterProvider {
  const { parse: useRouterParse } = router
  if (!useRouterParse) return router
  // The router hands out a stable function per location; so must we, or every render would parse anew.
  const known = new WeakMap<Parse, Parse>()
  const guard =
    (parse: Parse): Parse =>
    () => {
      const parsed = parse()
      const { params } = parsed
      return params && 'to' in params && params.to !== undefined
        ? { ...parsed, params: { ...params, to: safePath(params.to) } }
        : parsed
    }
  return {
    ...router,
    parse: () => {
      const parse = useRouterParse()
      const guarded = known.get(parse) ?? guard(parse)
      known.set(parse, guarded)
      return guarded
    },
  }
}
