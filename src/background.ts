import type { Providers } from '#providers/index.ts'
import { startLive } from '#providers/live/start-live.ts'
import type { NoticeBoard } from '#providers/notification.ts'
import { readFirebaseConfig } from '#providers/push/firebase-config.ts'
import { knownDevice } from '#providers/push/known-device.ts'
import type { PushTransport } from '#providers/push/push-transport.ts'
import { createSseTransport } from '#providers/push/sse-transport.ts'
import { type Push, startPush } from '#providers/push/start-push.ts'
import { retryFailed } from '#providers/retry-failed.ts'
import { usableStorage } from '#providers/session/browser-session.ts'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { type Definitions, routeOf } from '#schema/definition.ts'
import { noteReach } from '#shell/reach/server-reach.ts'
import type { OwnDevice } from '#shell/shell-services.ts'
import { warmUp } from '#ui/antd/lazy-antd.ts'
import { whenIdle } from '#ui/layout/when-idle.ts'
import { loadFace } from '#ui/theme/face.ts'
import { keepLastPage } from './last-page/keep-last-page.ts'
import { preloadScreens } from './screen-chunks.ts'
import type { Services } from './services.ts'
import { isSparing } from './when-network-idle.ts'

export type BackgroundOptions = { services: Services; providers: Providers; definitions: Definitions; board: NoticeBoard }

/** Background services for as long as the page is open. */
export type Background = { push: Push; device: () => OwnDevice }

/**
 * The code of the other screens and of the dialogs: the next click finds it, also when the line or the server is gone by then. A
 * failed load is repeated by who needs it.
 */
function preloadCode({ providers }: BackgroundOptions): void {
  providers.http().catch(() => undefined)
  preloadScreens()
  warmUp()
  whenIdle(() => {
    const codes = [
      import('#views/actions/action-dialog.tsx'),
      import('#views/actions/record-uses.tsx'),
      import('#views/form/outlook/record-outlook.tsx'),
      import('#views/bulk/bulk-bar.tsx'),
      import('#views/bulk/bulk-results.tsx'),
    ]
    Promise.all(codes).catch(() => undefined)
  })
}

async function loadTransport(storage: KeyValueStorage): Promise<PushTransport> {
  const config = readFirebaseConfig(import.meta.env)
  if (!config) return createSseTransport(storage)
  const { createFirebaseTransport } = await import('#providers/push/firebase-transport.ts')
  return createFirebaseTransport(config)
}

/** Starts live events, notifications and retries, once per page load; all follow the session by themselves. */
export function startBackground(options: BackgroundOptions): Background {
  const { services, providers, definitions, board } = options
  const { session, i18n, history } = services
  const storage = usableStorage(() => localStorage)
  const push = startPush({
    session,
    http: providers.http,
    board,
    words: i18n.words,
    language: i18n.language,
    storage,
    tabStorage: usableStorage(() => sessionStorage),
    transport: () => loadTransport(storage),
    openPath: (path) => history.push(path),
  })
  const retries = retryFailed({
    client: providers.queryClient,
    ready: async () => (await providers.http()).get('ready', { quiet: true, anonymous: true }),
  })
  startLive({
    session,
    client: providers.queryClient,
    data: providers.data,
    definitions,
    storage,
    firstEvent: providers.firstEvent,
    locks: navigator.locks as LockManager | undefined,
    onNote: push.take,
    onReach: (sinceMs) => {
      noteReach(sinceMs)
      if (sinceMs === undefined) retries.now()
    },
  })
  const { build } = document.documentElement.dataset
  const sections = new Set([...definitions.values()].map(routeOf))
  if (build) keepLastPage({ session, storage, language: i18n.language, build, sections })
  if (!isSparing()) {
    void loadFace(storage)
    preloadCode(options)
  }
  const reachesClosed = readFirebaseConfig(import.meta.env) !== undefined
  return { push, device: () => ({ id: knownDevice(storage)?.id, reachesClosed }) }
}
