import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearOnIdentityChange, createAuthProvider, loadPermissions } from '#providers/auth.ts'
import { HttpProblem } from '#providers/http-problem.ts'
import { PermissionStore } from '#providers/permission-store.ts'
import { fakeBrowser, tokenObject } from './browser.ts'
import { clientOf, type Handler, listen, sendJson } from './http-server.ts'

let server: Awaited<ReturnType<typeof listen>>
let handle: Handler
let seen: string[]

beforeEach(async () => {
  seen = []
  server = await listen((request, answer) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body}`)
      handle(request, answer)
    })
  })
})
afterEach(() => server.close())

function setUp(pushId: string | null = null, here = '/ess?q=1') {
  const { session } = fakeBrowser().openTab({ focused: true })
  const { http, problems } = clientOf(server.url, session)
  const late = async () => http
  const permissions = new PermissionStore(() => loadPermissions(late, async () => undefined))
  const auth = createAuthProvider({
    session,
    http: late,
    permissions,
    words: (key) => key,
    pushId: () => pushId,
    baseUrl: `${server.url}/api`,
    here: () => here,
  })
  return { session, http, problems, permissions, auth }
}

const problem = (statusCode: number) => new HttpProblem({ message: 'no', statusCode, code: 'x' })

describe('login', () => {
  it('signs in and goes where the person wanted, if that is a page of ours', async () => {
    const { auth, session } = setUp()
    handle = (_request, answer) => sendJson(answer, 200, tokenObject('a'))
    const credentials = { email: 'admin@example.com', password: 'secret' }
    expect(await auth.login({ ...credentials, to: '/ess?q=1' })).toEqual({ success: true, redirectTo: '/ess?q=1' })
    expect(await auth.login({ ...credentials, to: '//evil.example' })).toEqual({ success: true, redirectTo: '/' })
    expect(session.getSnapshot().session?.accessToken).toBe('a')
    expect(seen[0]).toBe(`POST /auth/login ${JSON.stringify(credentials)}`)
  })

  it('that is refused gives the server’s words', async () => {
    const { auth, session, problems } = setUp()
    handle = (_request, answer) => sendJson(answer, 401, { message: 'Wrong e-mail or password' })
    const result = await auth.login({ email: 'x', password: 'y' })
    expect(result).toMatchObject({ success: false, error: { message: 'Wrong e-mail or password', statusCode: 401 } })
    expect(session.getSnapshot().session).toBeNull()
    expect(problems).toHaveLength(1)
  })

  it('that is answered with something else is none', async () => {
    const { auth, session } = setUp()
    handle = (_request, answer) => sendJson(answer, 200, { ok: true })
    expect(await auth.login({ email: 'x', password: 'y' })).toMatchObject({ success: false })
    expect(session.getSnapshot().session).toBeNull()
  })
})

describe('logout', () => {
  it('forgets the session at once, before the server is asked, and tells it the token and the push id', async () => {
    const { auth, session, problems } = setUp('push-1')
    session.login(tokenObject('a'))
    const authorizations: unknown[] = []
    handle = ({ headers }, answer) => {
      authorizations.push(headers.authorization)
      sendJson(answer, 500, { message: 'no' })
    }
    const out = auth.logout()
    expect(session.getSnapshot().session).toBeNull()
    expect(await out).toEqual({ success: true, redirectTo: '/login' })
    await vi.waitFor(() => expect(seen).toEqual(['POST /api/auth/logout {"pushId":"push-1"}']))
    expect(authorizations).toEqual(['Bearer a'])
    expect(problems).toEqual([])
  })

  it('waits for no answer', async () => {
    const { auth, session } = setUp()
    session.login(tokenObject('a'))
    handle = () => undefined
    await auth.logout()
    expect(session.getSnapshot().session).toBeNull()
    await vi.waitFor(() => expect(seen).toHaveLength(1))
  })

  it('goes on to the sign-in provider where the server names its page, unless a person has signed in meanwhile', async () => {
    const assign = vi.fn()
    vi.stubGlobal('location', { assign })
    const { auth, session } = setUp()
    const pages = ['https://id.example/end', undefined, 'https://id.example/later']
    handle = (_request, answer) => sendJson(answer, 200, { providerUrl: pages[seen.length - 1] })
    for (const [index] of pages.entries()) {
      session.login(tokenObject('a'))
      await auth.logout()
      if (index === 2) session.login(tokenObject('b'))
      await vi.waitFor(() => expect(seen).toHaveLength(index + 1))
    }
    await vi.waitFor(() => expect(assign).toHaveBeenCalled())
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(assign.mock.calls).toEqual([['https://id.example/end']])
    vi.unstubAllGlobals()
  })

  it('makes no call when the session is gone already', async () => {
    await setUp().auth.logout()
    expect(seen).toEqual([])
  })
})

describe('the rest of the contract', () => {
  it('sends the stranger to the sign-in page', async () => {
    const { auth, session } = setUp()
    expect(await auth.check()).toEqual({ authenticated: false, redirectTo: '/login' })
    session.login(tokenObject('a'))
    expect(await auth.check()).toEqual({ authenticated: true })
  })

  it('leaves on a 401 once the session is gone, and back to where it was', async () => {
    const { auth, session } = setUp()
    expect(await auth.onError(problem(401))).toEqual({ logout: true, redirectTo: '/login?to=%2Fess%3Fq%3D1' })
    expect(await auth.onError(problem(403))).toEqual({})
    expect(await setUp(null, '/login?to=%2Fess%3Fq%3D1').auth.onError(problem(401))).toEqual({})
    expect(await auth.onError(new Error('x'))).toEqual({})
    session.login(tokenObject('a'))
    expect(await auth.onError(problem(401))).toEqual({})
  })

  it('knows who it is and what he may do, asked for once', async () => {
    const { auth, session } = setUp()
    expect([await auth.getIdentity(), await auth.getPermissions()]).toEqual([null, null])
    session.login(tokenObject('a'))
    handle = (_request, answer) => sendJson(answer, 200, { user: {}, permissions: { ess: { list: true } } })
    expect(await auth.getIdentity()).toMatchObject({ email: 'admin@example.com', role: 'admin', name: 'Ada Byron' })
    await auth.getPermissions()
    expect(await auth.getPermissions()).toMatchObject({
      user: { email: 'admin@example.com' },
      permissions: { ess: { list: true } },
    })
    expect(seen).toEqual(['GET /auth/me '])
  })

  it('leaves nothing of one person to the next, but keeps it when the token is renewed', async () => {
    const { session, permissions } = setUp()
    const queryClient = new QueryClient()
    clearOnIdentityChange({ session, queryClient, permissions })
    session.login(tokenObject('a'))
    queryClient.setQueryData(['ess'], [1])
    session.login(tokenObject('b'))
    expect(queryClient.getQueryData(['ess'])).toEqual([1])
    session.logout()
    expect(queryClient.getQueryData(['ess'])).toBeUndefined()
  })
})
