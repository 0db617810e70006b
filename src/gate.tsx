import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import type { SessionSnapshot } from '#providers/session/session-store.ts'
import { isRole, startPages } from '#schema/roles.ts'
import { safePath, signInPath } from '#schema/wire/safe-path.ts'
import type { Entry } from '#shell/history.ts'
import { Notices } from '#shell/notices.tsx'
import { TokenOverlay } from '#shell/token-overlay.tsx'
import { useAddress } from '#shell/use-address.ts'
import { isEntrance, isPublicPath, publicPage } from './pages/public/public-pages.tsx'
import type { SessionUser } from './schema/wire/wire.ts'
import type { Services } from './services.ts'
import { ErrorBoundary } from './shell/errors/error-boundary.tsx'
import { ErrorScreen } from './shell/errors/error-screen.tsx'
import { LazyChunk, LazyView } from './ui/layout/lazy-chunk.tsx'

export type ConsoleProps = { services: Services; user: SessionUser; isConflict: boolean }

/** Owner of the screens. During a session conflict the former user keeps them. */
function useShownUser({ session, conflict }: SessionSnapshot): SessionUser | undefined {
  const [shown, setShown] = useState(session?.user)
  if (!conflict && shown !== session?.user) setShown(session?.user)
  return conflict ? shown : session?.user
}

/** Canonical form of a path: one leading slash, none at the end. Pages compare paths as they are. */
const canonical = (pathname: string) => `/${pathname.replace(/^\/+|\/+$/g, '')}`

/** Redirects to the canonical path first. Sign-in is for visitors, everything that is not public for the signed-in. */
function detour({ pathname, search, hash }: Entry, user: SessionUser | undefined): string | undefined {
  if (pathname !== '/' && pathname.endsWith('/')) return canonical(pathname) + search + hash
  if (!user) return isPublicPath(pathname) ? undefined : signInPath(pathname + search + hash)
  if (!isEntrance({ pathname, search })) return undefined
  const to = new URLSearchParams(search).get('to')
  return (to === null && isRole(user.role) && startPages[user.role]) || safePath(to)
}

const identityOf = ({ id, email, role }: SessionUser) => [id, email, role].join(' ')

/** The code of a session, which a visitor never loads. */
export const consoleCode = new LazyChunk(() => import('./app.tsx').then((module) => module.Console))

function Page({ services }: { services: Services }) {
  const { session, history } = services
  const snapshot = useSyncExternalStore(session.subscribe, session.getSnapshot)
  const address = useAddress()
  const user = useShownUser(snapshot)
  const elsewhere = detour(address, user)
  useEffect(() => {
    if (elsewhere !== undefined) history.replace(elsewhere)
  }, [elsewhere, history])
  if (elsewhere !== undefined) return null
  const page = publicPage(address.pathname)
  if (page || !user) return <Suspense>{page}</Suspense>
  return (
    <>
      <Suspense>
        <LazyView key={identityOf(user)} code={consoleCode} props={{ services, user, isConflict: snapshot.conflict }} />
      </Suspense>
      <TokenOverlay open={snapshot.expired} />
    </>
  )
}

/** Decides between the public pages and the console, whose code a visitor without a session never loads. */
export function Gate({ services }: { services: Services }) {
  return (
    <ErrorBoundary fallback={(error) => <LastResort error={error} />}>
      <Page services={services} />
    </ErrorBoundary>
  )
}

/** Not even the frame could be drawn. */
function LastResort({ error }: { error: unknown }) {
  return (
    <main>
      <Notices isConflict={false} onReload={() => undefined} />
      <ErrorScreen error={error} />
    </main>
  )
}
