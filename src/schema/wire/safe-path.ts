export const home = '/'
/** Page of the console for who is not signed in. */
const signInPage = '/login'
const here = 'http://here.invalid'

/**
 * A path of this console to go to after signing in. Anything that a browser could take for another place (`//evil`, `/\evil`,
 * `javascript:`), or the sign-in page itself, becomes the first page.
 */
export function safePath(to: unknown): string {
  if (typeof to !== 'string' || !to.startsWith('/') || !URL.canParse(to, here)) return home
  const { origin, pathname, search, hash } = new URL(to, here)
  // Resolving dots can bring two slashes together: /.//evil.
  if (origin !== here || pathname.startsWith('//')) return home
  if (pathname === signInPage || pathname.startsWith(`${signInPage}/`)) return home
  return pathname + search + hash
}

/** The sign-in page that leads back to `from`. */
export function signInPath(from: string): string {
  const to = safePath(from)
  return to === home ? signInPage : `${signInPage}?to=${encodeURIComponent(to)}`
}
