export const home = '/'
const signInPage = '/login'
const here = 'http://here.invalid'

/** True for the sign-in page and the pages below it, with or without a query. */
export const isSignInPath = (path: string): boolean => /^\/login(?:[/?#]|$)/.test(path)

/**
 * A path within this console to open after sign-in; prevents open redirects. Anything that a browser could resolve to another
 * origin (`//evil`, `/\evil`, `javascript:`), and the sign-in page itself, becomes the first page.
 */
export function safePath(to: unknown): string {
  if (typeof to !== 'string' || !to.startsWith('/') || !URL.canParse(to, here)) return home
  const { origin, pathname, search, hash } = new URL(to, here)
  // Resolving dots can produce a double slash: /.//evil.
  if (origin !== here || pathname.startsWith('//')) return home
  if (isSignInPath(pathname)) return home
  return pathname + search + hash
}

/** The sign-in page that leads back to `from`. */
export function signInPath(from: string): string {
  const to = safePath(from)
  return to === home ? signInPage : `${signInPage}?to=${encodeURIComponent(to)}`
}
