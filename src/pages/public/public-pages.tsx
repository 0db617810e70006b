import { lazy, type ReactNode } from 'react'
import { LoginPage } from './login-page.tsx'

/** Signing in is all that most visits need: what is rarer is loaded when it is opened. */
const rare = {
  about: lazy(() => import('./about-page.tsx').then(({ AboutPage }) => ({ default: AboutPage }))),
  form: lazy(() => import('./form-pages.tsx').then(({ FormPage }) => ({ default: FormPage }))),
}

const form = (path: string): ReactNode => <rare.form key={path} path={path} />

export const loginPath = '/login'

/** Every page that needs no session, by its path. */
const pages: Readonly<Record<string, (path: string) => ReactNode>> = {
  [loginPath]: () => <LoginPage />,
  '/about': () => <rare.about />,
  '/support': form,
  '/invitation/complete': form,
  '/register/complete': form,
  '/restore-self': form,
  '/change-email/complete': form,
  '/restore-password': form,
  '/restore-password/complete': form,
}

export const isPublicPath = (pathname: string): boolean => Object.hasOwn(pages, pathname)

/** The page at a public path; undefined where a session is needed. */
export const publicPage = (pathname: string): ReactNode => (isPublicPath(pathname) ? pages[pathname]?.(pathname) : undefined)
