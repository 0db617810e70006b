import type { DataProvider, NotificationProvider } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'
import type { Definitions } from '#schema/definition.ts'
import { createAccessControlProvider } from './access-control.ts'
import { clearOnIdentityChange, createAuthProvider, loadPermissions } from './auth.ts'
import { type LazyHttp, lazyClient } from './client.ts'
import { createDataProvider, type UpdateMethod } from './data.ts'
import { firstAnswers } from './early/early-answers.ts'
import type { HttpProblem } from './http-problem.ts'
import type { ConsoleI18n } from './i18n.ts'
import { FirstEvent } from './live/first-event.ts'
import { createNotificationProvider, createProblemAnnouncer, type NoticeBoard } from './notification.ts'
import { PermissionStore } from './permission-store.ts'
import { createQueryClient } from './query-client.ts'
import type { SessionStore } from './session/session-store.ts'

export type ProvidersOptions = {
  session: SessionStore
  i18n: ConsoleI18n
  board: NoticeBoard
  definitions: Definitions
  isDirty?: () => boolean
  updateMethod?: UpdateMethod | undefined
  /** Asks for step-up authentication. */
  confirm?: () => Promise<boolean>
  /** Push registration of this browser, deleted on logout. */
  pushId?: () => string | null
}

export type Providers = {
  http: LazyHttp
  firstEvent: FirstEvent
  queryClient: QueryClient
  permissions: PermissionStore
  data: DataProvider
  auth: ReturnType<typeof createAuthProvider>
  accessControl: ReturnType<typeof createAccessControlProvider>
  notification: NotificationProvider
}

/** All providers of the console, over one API client. */
export function createProviders({
  session,
  i18n,
  board,
  definitions,
  isDirty,
  pushId,
  updateMethod,
  confirm,
}: ProvidersOptions): Providers {
  const { words, language } = i18n
  const firstEvent = new FirstEvent()
  const onEventId = (eventId: unknown) => firstEvent.note(eventId)
  const { announce, takeBack } = createProblemAnnouncer({ board, words })
  // The end of a session is reported once, by the page it leads to.
  const onProblem = (problem: HttpProblem) => {
    if (problem.statusCode !== 401 || session.endReason === undefined) announce(problem)
  }
  const client = lazyClient({ session, language, words, onEventId, onProblem, onSuccess: takeBack, confirm })
  const queryClient = createQueryClient()
  const http: LazyHttp = async () => (await client()).http
  const first = firstAnswers(session, onEventId)
  const permissions = new PermissionStore(() => loadPermissions(http, first))
  clearOnIdentityChange({ session, queryClient, permissions, isDirty })
  return {
    http,
    firstEvent,
    queryClient,
    permissions,
    data: createDataProvider({ client, definitions, updateMethod, first }),
    auth: createAuthProvider({ session, http, permissions, words, pushId }),
    accessControl: createAccessControlProvider({ permissions: () => permissions.current(), definitions }),
    notification: createNotificationProvider(board),
  }
}
