import { lazy, type ReactNode } from 'react'
import { LoginPage } from './login-page.tsx'

/** Signing in is all that most visits need: what is rarer is loaded when it is opened. */
const rare = {
  about: lazy(() => import('./about-page.tsx').then(({ AboutPage }) => ({ default: AboutPage }))),
  provider: lazy(() => import('./provider-page.tsx').then(({ ProviderPage }) => ({ default: ProviderPage }))),
  form: lazy(() => import('./form-pages.tsx').then(({ FormPage }) => ({ default: FormPage }))),
}

const form = (path: string): ReactNode => <rare.form key={path} path={path} />

const loginPath = '/login'
/** Page to which the provider sends people back. */
const providerPath = '/login/provider'

/** Every page that needs no session, by its path. */
const pages: Readonly<Record<string, (path: string) => ReactNode>> = {
  [loginPath]: () => <LoginPage />,
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

/** True for a page that is done once there is a session; the one of the provider has something to finish while its address says so. */
export const isEntrance = ({ pathname, search }: { pathname: string; search: string }): boolean =>
  pathname === loginPath || (pathname === providerPath && !search.includes('state='))

export const isPublicPath = (pathname: string): boolean => Object.hasOwn(pages, pathname)

/** The page at a public path; undefined where a session is needed. */
export const publicPage = (pathname: string): ReactNode => (isPublicPath(pathname) ? pages[pathname]?.(pathname) : undefined)
