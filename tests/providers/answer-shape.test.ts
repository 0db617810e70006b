import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeBrowser, jsonAnswer, tokenObject } from './browser.ts'
import { clientOf, listen, sendJson } from './http-server.ts'

let server: Awaited<ReturnType<typeof listen>>
let body: unknown

beforeEach(async () => {
  server = await listen((_request, answer) => sendJson(answer, 200, body))
})
afterEach(() => server.close())

function clientThatGets(answer: unknown) {
  body = answer
  const { session } = fakeBrowser().openTab({ focused: true, refresh: async () => jsonAnswer(tokenObject('b')) })
  session.login(tokenObject('a'))
  return clientOf(server.url, session)
}

it.each([
  ['rows', 'get', null],
  ['rows', 'get', {}],
  ['rows', 'get', undefined],
  ['record', 'get', {}],
  ['record', 'get', []],
  ['record', 'get', undefined],
  ['record', 'post', undefined],
  ['record', 'put', {}],
  ['record', 'put', null],
  [undefined, 'get', null],
  [undefined, 'get', undefined],
  [undefined, 'get', 5],
] as const)('an answer without the %s that a %s asks for is unreadable: %j', async (shape, method, body) => {
  const { http, problems } = clientThatGets(body)
  const call = http.request({ url: 'ess', method, ...(shape ? { shape } : {}) })
  await expect(call).rejects.toMatchObject({ code: 'answer.unreadable', message: 'errors.unreadable' })
  expect(problems).toHaveLength(1)
})

it.each([
  ['rows', 'get', []],
  ['record', 'put', { id: '1' }],
  [undefined, 'get', {}],
  [undefined, 'delete', undefined],
] as const)('an answer with the %s that a %s asks for is taken: %j', async (shape, method, answer) => {
  const { http, problems } = clientThatGets(answer)
  expect((await http.request({ url: 'ess', method, ...(shape ? { shape } : {}) })).status).toBe(200)
  expect(problems).toEqual([])
})
