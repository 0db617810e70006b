import { type ReactNode, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { useConsole } from '#fields/definitions.tsx'
import { type Definitions, isRelated, routeOf } from '#schema/definition.ts'
import { isAllowed } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Layout } from '#shell/layout.tsx'
import { Notices } from '#shell/notices.tsx'
import { OwnPage } from '#shell/own-page.tsx'
import { PageLoading } from '#shell/page-loading.tsx'
import { hasScreen, type Screen } from '#shell/screens.ts'
import { usePathname } from '#shell/use-address.ts'
import { pageOf } from '#shell/use-page-heading.ts'
import { pageCode, preloadScreens } from './screen-chunks.ts'
import { ErrorBoundary } from './shell/errors/error-boundary.tsx'
import { ErrorScreen } from './shell/errors/error-screen.tsx'
import { ForbiddenScreen, NotFoundScreen } from './shell/errors/message-screens.tsx'
import { LazyView, lazyCode } from './ui/layout/lazy-chunk.tsx'

const Filling = lazyCode(() => import('./pages/filling/filling-page.tsx').then((module) => ({ default: module.FillingPage })))
const Inbox = lazyCode(() => import('./views/inbox/inbox-page.tsx').then((module) => ({ default: module.InboxPage })))
const Profile = lazyCode(() => import('./pages/profile/profile-page.tsx').then((module) => ({ default: module.ProfilePage })))

/** Per kind of page: its addresses under the section, and what stands there. */
const pages: Record<Screen, { paths: readonly string[]; draw: (name: string) => ReactNode }> = {
  list: { paths: [''], draw: (name) => <LazyView code={pageCode.list} props={{ resource: name }} /> },
  create: {
    paths: ['/create'],
    draw: (name) => <LazyView code={pageCode.form} props={{ resource: name, action: 'create' }} />,
  },
  show: { paths: ['/:id', '/:id/:tab'], draw: (name) => <LazyView code={pageCode.show} props={{ resource: name }} /> },
  edit: { paths: ['/:id/edit'], draw: (name) => <LazyView code={pageCode.form} props={{ resource: name, action: 'edit' }} /> },
}

/** Draws a page only for those who may open it; for all others nothing of it runs, so nothing is asked of the server. */
function Guarded({ resource, screen, children }: { resource: AnyResource; screen: Screen; children: ReactNode }) {
  const { permissions } = useConsole()
  return isAllowed(permissions, resource.name, screen) ? children : <ForbiddenScreen />
}

const opensRows = ({ tabs = {} }: AnyResource) => Object.values(tabs).some((tab) => isRelated(tab) && tab.opens !== undefined)

function routesOf(resource: AnyResource): ReactNode[] {
  const existing = (Object.keys(pages) as Screen[]).filter((screen) => hasScreen(resource, screen))
  return existing.flatMap((screen) => {
    const { paths, draw } = pages[screen]
    const element = (
      <Guarded resource={resource} screen={screen}>
        {draw(resource.name)}
      </Guarded>
    )
    const nested = screen === 'show' && opensRows(resource) ? ['/:id/:tab/:child'] : []
    return [...paths, ...nested].map((path) => (
      <Route key={resource.name + path} path={`/${routeOf(resource)}${path}`} element={element} />
    ))
  })
}

/** Routes of the section of an address. The router would rank those of all sections at each click. */
function routesUnder(pathname: string, definitions: Definitions): ReactNode[] {
  const path = `${pathname.toLowerCase()}/`
  return [...definitions.values()].filter((each) => path.startsWith(`/${routeOf(each)}/`)).flatMap(routesOf)
}

type ConsoleRoutesProps = { definitions: Definitions; isConflict: boolean; onReload: () => void }

/** Every address of a session, inside the frame. A page that fails leaves the frame standing. */
export function ConsoleRoutes({ definitions, isConflict, onReload }: ConsoleRoutesProps) {
  const pathname = usePathname()
  return (
    <Layout notices={<Notices isConflict={isConflict} onReload={onReload} />} onMenuIntent={preloadScreens}>
      <ErrorBoundary key={pageOf(pathname)} fallback={(error) => <ErrorScreen error={error} />}>
        <Suspense fallback={<PageLoading />}>
          <Routes>
            <Route index element={<LazyView code={pageCode.dashboard} props={{}} />} />
            <Route path="/profile" element={<Profile />} />
            <Route
              path="/inbox"
              element={
                <OwnPage page="inbox">
                  <Inbox />
                </OwnPage>
              }
            />
            {['/filling', '/filling/:tab'].map((path) => (
              <Route
                key={path}
                path={path}
                element={
                  <OwnPage page="filling">
                    <Filling />
                  </OwnPage>
                }
              />
            ))}
            {routesUnder(pathname, definitions)}
            <Route path="*" element={<NotFoundScreen />} />
          </Routes>
        </Suspense>
      </ErrorBoundary>
    </Layout>
  )
}
