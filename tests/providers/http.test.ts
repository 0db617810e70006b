import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HttpProblem } from '#providers/http-problem.ts'
import { fakeBrowser, jsonAnswer, tokenObject } from './browser.ts'
import { clientOf, type Handler, listen, sendJson } from './http-server.ts'

let server: Awaited<ReturnType<typeof listen>>
let handle: Handler
let seen: { authorization: string | undefined; language: string | undefined; url: string | undefined }[]

beforeEach(async () => {
  seen = []
  handle = (_request, answer) => sendJson(answer, 200, { ok: true })
  server = await listen((request, answer) => {
    seen.push({ authorization: request.headers.authorization, language: request.headers['accept-language'], url: request.url })
    handle(request, answer)
  })
})
afterEach(() => server.close())

const failure = async (call: Promise<unknown>): Promise<HttpProblem> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof HttpProblem) return error
  throw new Error(`expected an HttpProblem, got ${String(error)}`)
}

function signedIn(accessToken = 'a') {
  const browser = fakeBrowser()
  const tab = browser.openTab({ focused: true, refresh: async (token) => jsonAnswer(tokenObject(`${token}+`)) })
  tab.session.login(tokenObject(accessToken))
  return { ...clientOf(server.url, tab.session), ...tab, browser }
}

describe('a request', () => {
  it('carries the token in a header, never in the address, and the language', async () => {
    const { http } = signedIn('secret')
    await http.get('ess', { params: { q: 'x' } })
    expect(seen).toEqual([{ authorization: 'Bearer secret', language: 'ru', url: '/ess?q=x' }])
  })

  it('carries none when it is anonymous or nobody is logged in', async () => {
    const { http, session } = signedIn()
    await http.post('support', {}, { anonymous: true })
    session.logout()
    await http.get('ess')
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  })

  it('waits while the token is expired and leaves with the new one', async () => {
    const { http, session } = signedIn()
    session.login(tokenObject('old', -10))
    await http.get('ess')
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer old+'])
  })

  it('that succeeds is named as its failure was', async () => {
    const { session } = signedIn()
    const succeeded: string[] = []
    const { http, problems } = clientOf(server.url, session, { onSuccess: (call) => succeeded.push(call) })
    handle = (_request, answer) => sendJson(answer, 400, { message: 'no' })
    await failure(http.put('ess/3?notify=1', {}))
    handle = (_request, answer) => sendJson(answer, 200, {})
    await http.put('ess/3', {})
    expect([problems.map(({ call }) => call), succeeded]).toEqual([['PUT ess/3'], ['PUT ess/3']])
  })

  it('is not sent while another person is signed in in another tab', async () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab({ isDirty: () => true })
    front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { http, problems } = clientOf(server.url, back.session)
    expect(await failure(http.put('ess/1', {}))).toMatchObject({ code: 'session.conflict', statusCode: 0 })
    expect([seen, problems]).toEqual([[], []])
  })

  it('tells the clock by the Date header', async () => {
    const { session } = fakeBrowser().openTab({ focused: true, refresh: () => new Promise(() => undefined) })
    session.login(tokenObject('a'))
    handle = (_request, answer) => sendJson(answer, 200, {}, { date: new Date(Date.now() + 600_000).toUTCString() })
    await clientOf(server.url, session).http.get('ess')
    expect(session.getSnapshot().expired).toBe(true)
  })

  it('stops when its caller gives up, without a word', async () => {
    const { http, problems } = signedIn()
    handle = () => undefined
    const limit = new AbortController()
    const call = failure(http.get('ess', { signal: limit.signal }))
    setTimeout(() => limit.abort(), 20)
    expect(await call).toMatchObject({ code: 'aborted' })
    expect(problems).toEqual([])
  })
})

describe('a 401', () => {
  const refuse =
    (token: string): Handler =>
    (request, answer) =>
      request.headers.authorization === `Bearer ${token}`
        ? sendJson(answer, 401, { statusCode: 401, message: 'Session ended', code: 'session.ended' })
        : sendJson(answer, 200, { ok: true })

  it('of the current token logs out here and is told once, however many calls failed', async () => {
    const { http, session, problems } = signedIn()
    handle = refuse('a')
    const failures = await Promise.all([1, 2, 3].map((id) => failure(http.get(`ess/${id}`))))
    expect(failures.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
    expect(session.getSnapshot().session).toBeNull()
    expect(session.endReason).toBe('Session ended')
    expect(problems.map(({ message }) => message)).toEqual(['Session ended'])
  })

  it('of an outdated token is repeated once with the new one', async () => {
    const { http, session, problems } = signedIn()
    const refuseOld = refuse('a')
    handle = (request, answer) => {
      if (request.headers.authorization === 'Bearer a') session.login(tokenObject('b'))
      refuseOld(request, answer)
    }
    expect((await http.post('ess', { code: 'ESS-1' })).data).toEqual({ ok: true })
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer a', 'Bearer b'])
    expect(session.getSnapshot().session?.accessToken).toBe('b')
    expect(problems).toEqual([])
  })

  it('that comes again after the repeat ends the session', async () => {
    const { http, session } = signedIn()
    let count = 0
    handle = (_request, answer) => {
      count += 1
      session.login(tokenObject(`new${count}`))
      sendJson(answer, 401, { message: 'no' })
    }
    await failure(http.get('ess'))
    expect(count).toBe(2)
  })

  it('of a login is no end of the session', async () => {
    const { http, session, problems } = signedIn()
    handle = (_request, answer) => sendJson(answer, 401, { message: 'Wrong e-mail or password' })
    await failure(http.post('auth/login', {}, { anonymous: true }))
    expect(session.getSnapshot().session).not.toBeNull()
    expect(problems).toHaveLength(1)
  })

  it('while nobody is logged in is not told', async () => {
    const { http, session, problems } = signedIn()
    session.logout()
    handle = (_request, answer) => sendJson(answer, 401, { message: 'no' })
    await failure(http.get('ess'))
    expect(problems).toEqual([])
  })
})

describe('a failure', () => {
  it('carries what the server told, its list joined', async () => {
    const { http, problems } = signedIn()
    const current = { id: '1', version: 4 }
    handle = (_request, answer) =>
      sendJson(
        answer,
        409,
        {
          statusCode: 409,
          message: ['Code is taken', 'Name is too long'],
          code: 'record.stale',
          fields: { code: 'taken', 'location.lat': 'too far' },
          current,
          allowed: ['RELEASED'],
          requestId: 'r-1',
        },
        { 'retry-after': '7' },
      )
    const problem = await failure(http.put('ess/1?q=private', {}))
    expect(problem).toMatchObject({
      message: 'Code is taken; Name is too long',
      statusCode: 409,
      code: 'record.stale',
      errors: { code: 'taken', 'location.lat': 'too far' },
      current,
      allowed: ['RELEASED'],
      requestId: 'r-1',
      retryAfterS: 7,
      call: 'PUT ess/1',
    })
    expect(problems).toEqual([problem])
    expect(JSON.stringify(problem)).not.toContain('Bearer')
  })

  it.each([
    [502, 'errors.unavailable 502'],
    [413, 'errors.tooLarge 413'],
    [418, 'errors.status 418'],
  ])('without a body of ours (%i) has words of ours', async (status, text) => {
    const { http } = signedIn()
    handle = (_request, answer) => answer.writeHead(status, { 'content-type': 'text/html' }).end('<html>nginx</html>')
    expect(await failure(http.get('ess'))).toMatchObject({ statusCode: status, message: text })
  })

  it.each(['<!doctype html><title>Portal</title>', '[{"id":"1"},{"id'])(
    'is also an answer that is no JSON: %s',
    async (body) => {
      const { http, problems } = signedIn()
      handle = (_request, answer) => answer.writeHead(200, { 'content-type': 'application/json' }).end(body)
      expect(await failure(http.get('ess'))).toMatchObject({ code: 'answer.unreadable', message: 'errors.unreadable' })
      expect(problems).toHaveLength(1)
    },
  )

  it('is not an empty answer, nor a text that was asked for', async () => {
    const { http } = signedIn()
    handle = (_request, answer) => sendJson(answer, 204)
    expect((await http.delete('ess/1')).status).toBe(204)
    handle = (_request, answer) => answer.end('id,code')
    expect((await http.get('export/ess', { responseType: 'text' })).data).toBe('id,code')
  })

  it('of the network and of time have words of ours', async () => {
    const { http, problems } = signedIn()
    handle = () => undefined
    expect(await failure(http.get('ess', { timeout: 20 }))).toMatchObject({ code: 'timeout', message: 'errors.timeout' })
    server.close()
    expect(await failure(http.get('ess'))).toMatchObject({ code: 'network', statusCode: 0, message: 'errors.network' })
    expect(problems).toHaveLength(2)
  })

  it('of a quiet call is not told, nor a conflict that its caller merges', async () => {
    const { http, problems } = signedIn()
    handle = (_request, answer) => sendJson(answer, 500, { message: 'no' })
    await failure(http.get('ess', { quiet: true }))
    handle = (_request, answer) => sendJson(answer, 409, { message: 'no', current: { id: '1' } })
    await failure(http.put('ess/1', {}, { merges: true }))
    expect(problems).toEqual([])
    await failure(http.put('ess/1', {}))
    handle = (_request, answer) => sendJson(answer, 409, { message: 'no' })
    await failure(http.put('ess/1', {}, { merges: true }))
    expect(problems).toHaveLength(2)
  })
})
