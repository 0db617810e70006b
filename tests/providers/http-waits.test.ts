import { afterEach, beforeEach, expect, it } from 'vitest'
import { serverTimeouts } from '#server/engine/http/slow-body.ts'
import { fakeBrowser, tokenObject } from './browser.ts'
import { clientOf, listen, sendJson } from './http-server.ts'

let server: Awaited<ReturnType<typeof listen>>
let count = 0

beforeEach(async () => {
  count = 0
  server = await listen((_request, answer) => {
    count += 1
    sendJson(answer, 200, { ok: true })
  })
})
afterEach(() => server.close())

it('a request has 30 s, and a file as long as the server waits for it', async () => {
  const { session } = fakeBrowser().openTab({ focused: true })
  session.login(tokenObject('a'))
  const { http } = clientOf(server.url, session)
  const timeoutOf = async (data?: FormData) => {
    const { config } = await http.post('ess', data, {
      adapter: async (asked) => ({ data: '', status: 204, statusText: '', headers: {}, config: asked }),
    })
    return config.timeout
  }
  expect(await timeoutOf()).toBe(30_000)
  expect(await timeoutOf(new FormData())).toBeGreaterThan(serverTimeouts.requestTimeout)
})

it('a request is not sent when another person signs in while it waits for a token', async () => {
  const browser = fakeBrowser()
  const never = () => new Promise<Response>(() => undefined)
  const front = browser.openTab({ focused: true, refresh: never })
  front.session.login(tokenObject('a', -1))
  const back = browser.openTab({ isDirty: () => true, refresh: never })
  const { http } = clientOf(server.url, back.session)
  const failed = http.put('ess/1', {}).then(
    () => 'sent',
    (error: unknown) => error,
  )
  await new Promise((resolve) => setTimeout(resolve, 20))
  front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
  expect(await failed).toMatchObject({ code: 'session.conflict', statusCode: 0 })
  expect(count).toBe(0)
})
