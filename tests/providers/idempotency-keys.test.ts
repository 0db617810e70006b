import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { IdempotencyKeys } from '#providers/idempotency-keys.ts'
import { fakeBrowser, jsonAnswer, tokenObject } from './browser.ts'
import { clientOf, listen, sendJson } from './http-server.ts'

describe('a POST', () => {
  let keys: (string | undefined)[] = []
  const answered = (answer: ServerResponse) => sendJson(answer, 200, { ok: true })
  let give: (answer: ServerResponse) => unknown = answered
  let server: Awaited<ReturnType<typeof listen>>
  beforeEach(async () => {
    keys = []
    give = answered
    server = await listen((request, answer) => {
      keys.push(request.headers['idempotency-key']?.toString())
      give(answer)
    })
  })
  afterEach(() => server.close())

  function signedIn() {
    const { session } = fakeBrowser().openTab({ focused: true, refresh: async (token) => jsonAnswer(tokenObject(token)) })
    session.login(tokenObject('a'))
    return clientOf(server.url, session)
  }

  it.each([
    ['nothing', (answer: ServerResponse) => answer.destroy()],
    ['502', (answer: ServerResponse) => sendJson(answer, 502, {})],
    [
      'a page of a proxy',
      (answer: ServerResponse) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sorry</p>'),
    ],
  ])('that was answered by %s carries the same key when it is sent again', async (_, lose) => {
    const { http } = signedIn()
    give = lose
    await expect(http.post('ess', { code: 'A' })).rejects.toThrow()
    give = answered
    await http.post('ess', { code: 'A' })
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,200}$/)
    expect(keys).toEqual([keys[0], keys[0]])
  })

  it('carries another key after an answer, with another content and at another address', async () => {
    const { http } = signedIn()
    await http.post('ess', { code: 'A' })
    await http.post('ess', { code: 'A' })
    await http.post('ess', { code: 'B' })
    await http.post('client', { code: 'A' })
    expect(new Set(keys).size).toBe(4)
    expect(keys).not.toContain(undefined)
  })

  it('that is sent twice at once carries one key', async () => {
    const { http } = signedIn()
    await Promise.all([http.post('ess', { code: 'A' }), http.post('ess', { code: 'A' })])
    expect(new Set(keys).size).toBe(1)
  })

  it('with a file carries the same key for the same file only', async () => {
    const { http } = signedIn()
    const image = (name: string, lastModified: number) => new File(['bytes'], name, { lastModified })
    const form = (file: File) => {
      const body = new FormData()
      body.set('file', file)
      return body
    }
    const lost = (body: FormData | File, url = 'firmware') => expect(http.post(url, body)).rejects.toThrow()
    give = (answer) => answer.destroy()
    await lost(form(image('a.bin', 1)))
    await lost(form(image('a.bin', 1)))
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,200}$/)
    expect(keys[1]).toBe(keys[0])
    await lost(form(image('b.bin', 1)))
    await lost(form(image('a.bin', 2)))
    await lost(image('a.csv', 1), 'import/ess?update=true')
    await lost(image('a.csv', 1), 'import/ess')
    expect(new Set(keys).size).toBe(5)
    give = answered
    await http.post('import/ess', image('a.csv', 1))
    expect(keys[6]).toBe(keys[5])
  })

  it('without a session or with bytes of no file carries none, and neither does any other method', async () => {
    const { http } = signedIn()
    await http.post('support', { text: 'x' }, { anonymous: true })
    await http.post('import/ess', new Blob(['x']))
    await http.put('ess/1', { name: 'x' })
    await http.get('ess')
    expect(keys).toEqual([undefined, undefined, undefined, undefined])
  })
})

it('a key is not taken for the same content after ten minutes', () => {
  const keys = new IdempotencyKeys()
  const first = keys.take('ess {}', 0)
  expect(keys.take('ess {}', 10 * 60_000)).toBe(first)
  expect(keys.take('ess {}', 10 * 60_000 + 1)).not.toBe(first)
})
