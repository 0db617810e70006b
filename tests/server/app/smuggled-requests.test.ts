import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { sendRaw, statusesIn } from '#tests/support/raw-connection.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

const hidden = 'GET /api/hidden HTTP/1.1\r\nHost: console.example\r\n\r\n'
const json = 'Content-Type: application/json'
const chunked = 'Transfer-Encoding: chunked'
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`

/** A request whose end two readers may see in different places. */
const post = (headers: string[], body: string) =>
  `${lines('POST /api/thing HTTP/1.1', 'Host: console.example', 'Authorization: Bearer admin', json, ...headers)}\r\n${body}`

const doubtful: Readonly<Record<string, string>> = {
  'a length and chunks': post(['Content-Length: 5', chunked], `0\r\n\r\n${hidden}`),
  'chunks and a length': post([chunked, `Content-Length: ${5 + hidden.length}`], `0\r\n\r\n${hidden}`),
  'two lengths': post(['Content-Length: 2', `Content-Length: ${2 + hidden.length}`], `{}${hidden}`),
  'two lengths in one line': post([`Content-Length: 2, ${2 + hidden.length}`], `{}${hidden}`),
  'a length with a sign': post(['Content-Length: +2'], `{}${hidden}`),
  'a length of hexadecimal digits': post(['Content-Length: 0x2'], `{}${hidden}`),
  'chunks in two codings': post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`),
  'a coding of another name': post(['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`),
  'a coding behind a control character': post(['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${hidden}`),
  'a header in two lines': post(['Transfer-Encoding:', ' chunked', 'Content-Length: 5'], `0\r\n\r\n${hidden}`),
  'a folded header': post(['X-Folded: a', ' Transfer-Encoding: chunked', 'Content-Length: 2'], `{}${hidden}`),
  'a blank before the colon': post(['Transfer-Encoding : chunked', 'Content-Length: 5'], `0\r\n\r\n${hidden}`),
  'lines that end with a line feed alone': post(['Content-Length: 2'], `{}${hidden}`).replaceAll('\r\n', '\n'),
  'one line that ends with a line feed alone': post([`X-One: a\nContent-Length: 2`], `{}${hidden}`),
  'a line that ends with a carriage return alone': post([`X-One: a\rContent-Length: 2`], `{}${hidden}`),
  'a null character in a header': post(['X-One: a\0b', 'Content-Length: 2'], `{}${hidden}`),
  'a chunk of a length with a sign': post([chunked], `+2\r\n{}\r\n0\r\n\r\n${hidden}`),
  'a chunk that ends with a line feed alone': post([chunked], `2\n{}\n0\n\n${hidden}`),
  'a chunk that is longer than its length': post([chunked], `2\r\n{}x\r\n0\r\n\r\n${hidden}`),
  'no host': `${lines('POST /api/thing HTTP/1.1', json, 'Content-Length: 2')}\r\n{}`,
}

describe('a request that two readers may cut in different places', () => {
  const reached: string[] = []
  let app: Api
  let origin = ''
  beforeAll(async () => {
    app = await buildToyApp({ config: readConfig({}) })
    app.server.prependListener('request', ({ url = '' }) => reached.push(url))
    origin = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it.each(Object.keys(doubtful))('is refused with 400 and ends its connection: %s', async (kind) => {
    reached.length = 0
    const answer = await sendRaw(origin, doubtful[kind] ?? '')
    expect([kind, statusesIn(answer)]).toEqual([kind, [400]])
    expect(reached.filter((url) => url.includes('hidden'))).toEqual([])
  })

  it('is told apart from two that follow each other, which are both answered', async () => {
    reached.length = 0
    const answer = await sendRaw(origin, post(['Content-Length: 2'], `{}${hidden}`))
    expect(statusesIn(answer)).toEqual([200, 404])
    expect(reached).toContain('/api/hidden')
  })
})

const get = (target: string, ...headers: string[]) => `${lines(`GET ${target} HTTP/1.1`, ...headers)}\r\n`
const host = 'Host: console.example'

describe('a request whose address or host two readers may take for different ones', () => {
  let app: Api
  let origin = ''
  beforeAll(async () => {
    app = await buildToyApp()
    origin = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it.each([
    ['two hosts', get('/api/open', host, 'Host: evil.example')],
    ['the same host twice', get('/api/open', host, host)],
    ['two hosts beside an absolute address', get('http://console.example/api/open', host, 'host: evil.example')],
    ['two hosts in one line', get('/api/open', 'Host: console.example, evil.example')],
    ['a host with a path', get('/api/open', 'Host: console.example/evil')],
    ['a host with a user', get('/api/open', 'Host: console.example@evil.example')],
    ['a host that is markup', get('/api/open', 'Host: <script>')],
    ['a port that is none', get('/api/open', 'Host: console.example:evil')],
    ['half an IPv6 address', get('/api/open', 'Host: [::1')],
    [
      'chunks in HTTP/1.0',
      `${lines('POST /api/thing HTTP/1.0', 'Connection: keep-alive', json, chunked)}\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a page and two hosts', get('/nowhere', host, 'Host: evil.example')],
  ])('is refused with 400 for %s, and ends its connection', async (_, request) => {
    const answer = await sendRaw(origin, request)
    expect(statusesIn(answer)).toEqual([400])
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  it.each([host, 'Host: console.example:8080', 'Host: [2001:db8::1]:80', 'Host: a_b.example', 'Host: 127.0.0.1', 'Host:'])(
    'is answered with %s',
    async (line) => {
      expect(statusesIn(await sendRaw(origin, get('/api/open', line)))).toEqual([200])
    },
  )

  /** Without its moment, its number and what an address is repeated in. */
  const told = async (target: string) =>
    (await sendRaw(origin, get(target, host, 'Connection: close')))
      .replace(/^(date|x-request-id|x-ratelimit-\S+): .*\r\n/gim, '')
      .replace(/"requestId":"[^"]*"/, '')

  it.each([
    ['http://evil.example/api/open?a=1', '/api/open?a=1'],
    ['HTTPS://user@evil.example:99/api/open?a=1', '/api/open?a=1'],
    ['http://evil.example/api/mine', '/api/mine'],
    ['http://evil.example/api/nope', '/api/nope'],
    ['http://evil.example', '/'],
    ['http://evil.example?a=1', '/?a=1'],
    ['/%61pi/open?a=1', '/api/open?a=1'],
    ['/%61%70i/mine', '/api/mine'],
  ])('is one and the same, with the same headers: %s and %s', async (target, plain) => {
    const answer = await told(target)
    expect(answer).toBe(await told(plain))
    expect(answer).toContain('cache-control: no-store')
    expect(answer).not.toContain('evil')
  })
})
