import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { buildToyApp, json, signedIn } from '#tests/support/toy-app.ts'

let app: Api
beforeAll(async () => {
  app = await buildToyApp()
})
afterAll(() => app.close())

const post = (payload: string | object | Buffer, headers: Record<string, string> = json) =>
  app.inject({ method: 'POST', url: '/api/thing', headers: { ...signedIn, ...headers }, payload })

describe('what comes in', () => {
  it('may be an empty JSON body where none is needed', async () => {
    expect((await post('')).json()).toEqual({ body: {} })
    const bare = await app.inject({ method: 'POST', url: '/api/thing', headers: signedIn })
    expect(bare.statusCode).toBe(200)
    const removed = await app.inject({ method: 'DELETE', url: '/api/thing/1', headers: json })
    expect(removed.statusCode).toBe(204)
  })

  it('is never coerced and has no unknown keys', async () => {
    const answer = await post({ role: ['admin'], n: '1', other: true })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().fields).sort()).toEqual(['n', 'other', 'role'])
    expect(answer.json().message).toHaveLength(3)
  })

  it.each([
    ['broken JSON', '{"role":', 400],
    ['a poisoned prototype', '{"__proto__": {"x": 1}}', 400],
    ['a poisoned constructor', '{"constructor": {"prototype": {"x": 1}}}', 400],
    ['depth without end', `{"role":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
    ['broken UTF-8', Buffer.from('{"role":"\xc3("}', 'latin1'), 400],
    ['more than a megabyte', JSON.stringify({ role: 'x'.repeat(1_100_000) }), 413],
  ])('is refused as %s', async (_name, payload, status) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ statusCode: status, requestId: expect.any(String) })
  })

  it('is refused for its depth before it is read: its values would be wrong as well', async () => {
    const answer = await post(`{"role":${'['.repeat(33)}${']'.repeat(33)}}`)
    expect(answer.json()).toMatchObject({ statusCode: 400, code: 'malformed.depth' })
    expect((await post(`{"role":${'['.repeat(31)}${']'.repeat(31)}}`)).json()).toMatchObject({ code: 'invalid' })
  })

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])(
    'is refused as %s',
    async (type) => {
      expect((await post('role=admin', { 'content-type': type })).statusCode).toBe(415)
    },
  )

  it('keeps brackets in texts apart from depth', async () => {
    expect((await post({ role: '[{'.repeat(500) })).statusCode).toBe(200)
  })

  it('gives a repeated query key as a list and refuses poisoned keys', async () => {
    const answer = await app.inject('/api/open?status=A&status=B&q=A%26B%20%2B5%25')
    expect(answer.json()).toEqual({ query: { status: ['A', 'B'], q: 'A&B +5%' } })
    for (const key of ['__proto__', 'constructor', 'a[b]', 'a[]'])
      expect((await app.inject(`/api/open?${encodeURIComponent(key)}=1`)).statusCode).toBe(400)
  })
})
