import type { ReactNode } from 'react'
import { LazyChunk, LazyView, lazyCode } from '#ui/layout/lazy-chunk.tsx'

/** The sign-in page, which a start with a session does without. */
export const loginCode = new LazyChunk(() => import('./login-page.tsx').then(({ LoginPage }) => LoginPage))

/** Lazy: most visits only need the sign-in page. */
const rare = {
  about: lazyCode(() => import('./about-page.tsx').then(({ AboutPage }) => ({ default: AboutPage }))),
  provider: lazyCode(() => import('./provider-page.tsx').then(({ ProviderPage }) => ({ default: ProviderPage }))),
  form: lazyCode(() => import('./form-pages.tsx').then(({ FormPage }) => ({ default: FormPage }))),
}

const form = (path: string): ReactNode => <rare.form key={path} path={path} />

const loginPath = '/login'
/** Redirect target of the provider. */
const providerPath = '/login/provider'

export const pagesByPath: Readonly<Record<string, (path: string) => ReactNode>> = {
  [loginPath]: () => <LazyView code={loginCode} props={{}} />,
  [providerPath]: () => <rare.provider />,
  '/about': () => <rare.about />,
  '/support': form,
  '/invitation/complete': form,
  '/register/complete': form,
  '/restore-self': form,
  '/change-email/complete': form,
  '/restore-password': form,
  '/restore-password/complete': form,
}

/**
 * True for a page that redirects once there is a session; the provider page first completes a pending attempt in its address.
 */
export const isEntrance = ({ pathname, search }: { pathname: string; search: string }): boolean =>
  pathname === loginPath || (pathname === providerPath && !search.includes('state='))

export const isPublicPath = (pathname: string): boolean => Object.hasOwn(pagesByPath, pathname)

/** True for a path at which a visitor finds the sign-in page, itself or in place of what needs a session. */
export const isSignIn = (pathname: string): boolean => pathname === loginPath || !isPublicPath(pathname)

/** The page at a public path; undefined when a session is required. */
export const publicPage = (pathname: string): ReactNode =>
  isPublicPath(pathname) ? pagesByPath[pathname]?.(pathname) : undefined
