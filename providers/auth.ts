import type { AuthActionResponse, AuthProvider } from '@refinedev/core'
import type { QueryClient } from '@tanstack/react-query'
import { isObject } from '#schema/is-object.ts'
import type { Permissions } from '#schema/permissions.ts'
import { isSignInPath, safePath, signInPath } from '#schema/wire/safe-path.ts'
import type { Me, SessionToken, SessionUser } from '#schema/wire/wire.ts'
import type { LazyHttp } from './client.ts'
import type { FirstAnswers } from './early/early-answers.ts'
import { HttpProblem, isHttpProblem, type Words } from './http-problem.ts'
import type { PermissionStore } from './permission-store.ts'
import { readSession } from './session/session-record.ts'
import type { SessionStore } from './session/session-store.ts'

export type Credentials = { email: string; password: string; to?: string | undefined }
export type Identity = SessionUser & { name: string }

export type AuthProviderOptions = {
  session: SessionStore
  http: LazyHttp
  permissions: PermissionStore
  words: Words
  /** Push registration of this browser, which the server deletes on logout. */
  pushId?: (() => string | null) | undefined
  baseUrl?: string
  /** Path of the current page, with its query. */
  here?: () => string
}

/** Loads the permissions of the signed-in user, for the permission store. */
export async function loadPermissions(http: LazyHttp, first: FirstAnswers): Promise<Permissions> {
  const early = await first('auth/me')
  if (early && isMe(early.data)) return early.data.permissions
  const { data } = await (await http()).get<Me>('auth/me')
  return data.permissions
}

const isMe = (data: object): data is Me => 'permissions' in data && isObject(data.permissions)

const nameOf = ({ firstName, lastName, email }: SessionUser) => `${firstName} ${lastName}`.trim() || email

/**
 * Refine's auth provider over the session store. The console's own screens use the store directly, and the sign-in page does
 * not load Refine; `login`, `check`, `getIdentity` and `getPermissions` serve Refine's hooks on hand-written pages.
 */
export function createAuthProvider(options: AuthProviderOptions) {
  const { session, http, permissions, words, pushId, baseUrl = '/api', here = browserPath } = options
  const current = () => session.getSnapshot().session

  return {
    login: async ({ email, password, to }: Credentials): Promise<AuthActionResponse> => {
      try {
        const { data } = await (await http()).post<SessionToken>('auth/login', { email, password }, { anonymous: true })
        const token = readSession(data)
        if (!token) throw new HttpProblem({ message: words('errors.unreadable'), statusCode: 0, code: 'answer.unreadable' })
        session.login(token)
        return { success: true, redirectTo: safePath(to) }
      } catch (error) {
        return { success: false, error: isHttpProblem(error) ? error : new Error(words('errors.unexpected')) }
      }
    },

    logout: async (): Promise<AuthActionResponse> => {
      const ending = current()
      if (ending) {
        const body = { pushId: pushId?.() ?? null }
        // First the local logout: it must succeed even if the page closes at once or there is no network.
        session.logout()
        tellServer(`${baseUrl}/auth/logout`, ending.accessToken, body, () => !current())
      }
      return { success: true, redirectTo: '/login' }
    },

    check: async () => (current() ? { authenticated: true } : { authenticated: false, redirectTo: '/login' }),

    // The HTTP client has already ended the session if this 401 concerned it; a 401 of an older session is ignored. The redirect
    // to the sign-in page holds the way back, which a second redirect would lose.
    onError: async (error: unknown) => {
      const isEnd = isHttpProblem(error) && error.statusCode === 401 && !current() && !isSignInPath(here())
      return isEnd ? { logout: true, redirectTo: signInPath(here()) } : {}
    },

    getIdentity: async (): Promise<Identity | null> => {
      const user = current()?.user
      return user ? { ...user, name: nameOf(user) } : null
    },

    getPermissions: async (): Promise<Me | null> => {
      const user = current()?.user
      return user ? { user, permissions: await permissions.ensure(user) } : null
    },
  } satisfies AuthProvider
}

/** After this time the next person may be typing. */
const soonMs = 1_000

/**
 * Ends the session on the server with a keep-alive request; a failure is ignored. A body names the page of the sign-in provider
 * that ends the session there.
 */
function tellServer(url: string, token: string, body: { pushId: string | null }, isOver: () => boolean): void {
  const askedAt = Date.now()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  void fetch(url, { method: 'POST', keepalive: true, headers, body: JSON.stringify(body) })
    .then(async (answer) => {
      // Skipped without a JSON body, after another sign-in in this tab, and once the next person may be typing.
      const { providerUrl } = await answer.json()
      if (providerUrl && isOver() && Date.now() - askedAt < soonMs) location.assign(providerUrl)
    })
    .catch(() => undefined)
}

function browserPath(): string {
  return location.pathname + location.search + location.hash
}

export type IdentityCaches = {
  session: SessionStore
  queryClient: QueryClient
  permissions: PermissionStore
  /** True while the page holds unsaved input: it then stays with the former user, blocked by the session conflict. */
  isDirty?: (() => boolean) | undefined
}

/**
 * Clears all caches on login, logout and switch, before the screens are notified, so that no user sees another one's data.
 * Returns the unsubscribe function. Screens must be keyed by the identity, so that they remount.
 */
export function clearOnIdentityChange({ session, queryClient, permissions, isDirty }: IdentityCaches): () => void {
  return session.onIdentityChange((next) => {
    if (next && isDirty?.()) return
    permissions.clear()
    void queryClient.cancelQueries()
    queryClient.clear()
  })
}
