import { Refine } from '@refinedev/core'
import reactRouter from '@refinedev/react-router'
import { memo, type ReactNode, Suspense, use, useCallback, useEffect, useMemo, useState } from 'react'
import { NavigationType, Router } from 'react-router'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import { createProviders, type Providers } from '#providers/index.ts'
import type { NoticeBoard } from '#providers/notification.ts'
import { usableStorage } from '#providers/session/browser-session.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { resources } from '#resources/index.ts'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import type { Permissions } from '#schema/permissions.ts'
import { isNotified } from '#schema/roles.ts'
import type { Language } from '#schema/words.ts'
import { AccountProvider, nameOf } from '#shell/account.ts'
import type { Step } from '#shell/history.ts'
import { type PushControl, ShellProvider } from '#shell/shell-services.ts'
import { useAddress } from '#shell/use-address.ts'
import { useShellLanguage } from '#shell/use-words.ts'
import { ActionHost } from '#views/actions/action-host.tsx'
import { widgets } from '#widgets/registry.ts'
import type { Background } from './background.ts'
import { knownZone } from './fields/time/time-format.ts'
import type { ConsoleProps } from './gate.tsx'
import { loginCode } from './pages/public/public-pages.tsx'
import { prefetchPage } from './prefetch-page.ts'
import { createPushControl } from './push-control.ts'
import { refineResources } from './refine-resources.ts'
import { withoutParams } from './refine-router.ts'
import { ConsoleRoutes } from './routes.tsx'
import type { ExportFile, ExportList } from './schema/wire/calls.ts'
import type { SessionUser } from './schema/wire/wire.ts'
import { preloadScreen } from './screen-chunks.ts'
import type { Services } from './services.ts'
import { ErrorBoundary } from './shell/errors/error-boundary.tsx'
import { ErrorScreen } from './shell/errors/error-screen.tsx'
import { closeNotification, openNotification } from './ui/feedback/notification.ts'
import { NavigationBlockContext } from './views/shared/navigation-blocker.ts'
import { ViewsProvider } from './views/shared/view-context.tsx'
import { whenNetworkIdle } from './when-network-idle.ts'

const board: NoticeBoard = { open: openNotification, close: closeNotification }

const navigationTypes: Record<Step, NavigationType> = {
  POP: NavigationType.Pop,
  PUSH: NavigationType.Push,
  REPLACE: NavigationType.Replace,
}

const routerProvider = withoutParams(reactRouter)

type Wiring = {
  services: Services
  providers: Providers
  definitions: Definitions
  push: PushControl
  /** Live events and notifications, started with the first call. */
  background: () => Promise<Background | undefined>
}

/** The snapshot of the permissions, waited for where it has not come yet; kept while this identity is on screen. */
function usePermissions(store: Providers['permissions'], user: SessionUser): Permissions {
  const [read] = useState(() => store.read(user))
  return read instanceof Promise ? use(read) : read
}

/** A device on which no language was chosen follows the profile. */
function useProfileLanguage({ i18n }: Services, language: Language | null) {
  useEffect(() => {
    if (language && !i18n.isChosen() && i18n.language() !== language) i18n.changeLanguage(language).catch(() => undefined)
  }, [i18n, language])
}

type SessionProps = Wiring & { user: SessionUser; children: ReactNode }

/** Context of the console: the signed-in user, the permissions and the language. */
function SessionContexts({ services, providers, definitions, push, user, children }: SessionProps) {
  const { history, i18n, session, shell } = services
  const permissions = usePermissions(providers.permissions, user)
  const language = useShellLanguage()
  const { id, role } = user
  useProfileLanguage(services, user.language)
  const zone = knownZone(user.timezone)
  const name = nameOf(user)
  const viewer = useMemo(() => ({ id, role, name }), [id, role, name])
  const account = useMemo(
    () => ({
      user,
      amend: session.amend,
      signOut: async () => {
        await providers.auth.logout()
        history.replace('/login')
      },
      forget: () => {
        session.logout()
        history.replace('/login')
      },
    }),
    [user, providers, session, history],
  )
  const ownShell = useMemo(
    () => ({
      ...shell,
      push: isNotified(role) ? push : undefined,
      changeLanguage: async (next: Language) => {
        await i18n.changeLanguage(next)
        const { saveLanguage } = await import('#providers/save-language.ts')
        void saveLanguage(providers.http, id, next)
      },
    }),
    [shell, push, i18n, providers, id, role],
  )
  return (
    <DefinitionsProvider definitions={definitions} permissions={permissions} viewer={viewer} language={language} zone={zone}>
      <AccountProvider value={account}>
        <ShellProvider value={ownShell}>{children}</ShellProvider>
      </AccountProvider>
    </DefinitionsProvider>
  )
}

/** Refine over our providers, inside the console's own history. */
function RefineFrame({ services, providers, definitions, children }: Wiring & { children: ReactNode }) {
  const { history, i18n } = services
  const entry = useAddress()
  const pages = useMemo(() => refineResources(definitions), [definitions])
  return (
    <Router location={entry} navigationType={navigationTypes[history.getStep()]} navigator={history}>
      <Refine
        dataProvider={providers.data}
        authProvider={providers.auth}
        accessControlProvider={providers.accessControl}
        i18nProvider={i18n.provider}
        notificationProvider={providers.notification}
        routerProvider={routerProvider}
        resources={pages}
        options={{
          disableTelemetry: true,
          // The gate watches the session: nobody is asked again on each change of page.
          disableRouteChangeHandler: true,
          syncWithLocation: false,
          warnWhenUnsavedChanges: false,
          mutationMode: 'pessimistic',
          reactQuery: { clientConfig: providers.queryClient },
        }}
      >
        {children}
      </Refine>
    </Router>
  )
}

const wirings = new WeakMap<Services, Wiring>()

/** Providers and definitions, built once per page load; the console itself is remounted for each identity. */
function wiringOf(services: Services): Wiring {
  const known = wirings.get(services)
  if (known) return known
  const { session, i18n, isDirty, loadBackground } = services
  const definitions = definitionsOf(resources)
  let started: Promise<Background | undefined> | undefined
  const providers: Providers = createProviders({
    session,
    i18n,
    board,
    definitions,
    isDirty,
    confirm: async () => (await import('./confirm-identity.tsx')).confirmIdentity(i18n, await providers.http(), session),
    updateMethod: import.meta.env.VITE_UPDATE_METHOD === 'patch' ? 'patch' : 'put',
    pushId: () => usableStorage(() => localStorage).getItem(storageKeys.pushId),
  })
  const start = async () => (await loadBackground?.())?.startBackground({ services, providers, definitions, board })
  const background = () => {
    started ??= start().catch(() => {
      // Without a network, or behind a newer release, the screens do without; who asks next tries again.
      started = undefined
      return undefined
    })
    return started
  }
  const wiring = { services, definitions, providers, push: createPushControl(background), background }
  wirings.set(services, wiring)
  return wiring
}

/** Asks for all that the first page of a session is drawn from, so that it can be drawn in one piece. */
export async function prepareConsole(services: Services): Promise<void> {
  const { session, history } = services
  const user = session.getSnapshot().session?.user
  if (!user) return
  const { providers, definitions } = wiringOf(services)
  const [permissions] = await Promise.all([providers.permissions.ensure(user), preloadScreen(history.getEntry().pathname)])
  await prefetchPage({ providers, definitions, permissions, zone: knownZone(user.timezone) }, history.getEntry())
}

/** The signed-in console. A change of the address reaches only the parts that read it. */
export const Console = memo(SessionConsole)

function SessionConsole({ services, user, isConflict }: ConsoleProps) {
  const wiring = wiringOf(services)
  const { providers, definitions, background } = wiring
  const { session, history } = services
  useEffect(() => {
    return whenNetworkIdle(providers.queryClient, () => {
      void background()
      // Small, and the session may end with the line down.
      loginCode.preload().catch(() => undefined)
    })
  }, [background, providers])
  const sayUnloaded = useCallback(() => {
    board.open({ kind: 'error', key: 'code', title: services.i18n.words('errors.network') })
  }, [services])
  const exports = useMemo((): { exportList: ExportList; exportFile: ExportFile } => {
    return {
      exportList: async (request) =>
        (await import('#providers/export/export-list.ts')).exportList(await providers.http(), request),
      exportFile: async (request) =>
        (await import('#providers/export/export-file.ts')).exportFile(await providers.http(), request),
    }
  }, [providers])
  return (
    <RefineFrame {...wiring}>
      <ErrorBoundary fallback={(error) => <ErrorScreen error={error} />}>
        {/* The document's own frame stands until the permissions are there. */}
        <Suspense>
          <SessionContexts {...wiring} user={user}>
            <ViewsProvider {...exports} widgets={widgets}>
              <NavigationBlockContext value={history.guard}>
                <ActionHost onUnloaded={sayUnloaded}>
                  <ConsoleRoutes definitions={definitions} isConflict={isConflict} onReload={() => session.reload()} />
                </ActionHost>
              </NavigationBlockContext>
            </ViewsProvider>
          </SessionContexts>
        </Suspense>
      </ErrorBoundary>
    </RefineFrame>
  )
}
