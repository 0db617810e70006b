import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

const limit = 64 * 1024

describe('a body with a content encoding', () => {
  let app: Api
  beforeAll(async () => {
    app = await buildToyApp({
      register: (api) => {
        api.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        api.post('/frames', { config: { access: 'public' }, bodyLimit: limit }, async ({ body }) => ({
          bytes: (body as Buffer).length,
        }))
      },
    })
  })
  afterAll(() => app.close())

  const send = async (encoding: string, payload: Buffer) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-encoding': encoding }
    const answer = await app.inject({ method: 'POST', url: '/api/frames', headers, payload })
    return { status: answer.statusCode, body: answer.json() }
  }

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is read in %s', async (encoding, compress) => {
    expect(await send(encoding, compress(Buffer.alloc(5_000)))).toEqual({ status: 200, body: { bytes: 5_000 } })
  })

  it('is refused where its content is larger than a body may be', async () => {
    expect(await send('gzip', gzipSync(Buffer.alloc(limit + 1)))).toMatchObject({ status: 413, body: { code: 'too-large' } })
  })

  it('is refused with its reason in an encoding that nobody reads', async () => {
    expect(await send('lzma', Buffer.alloc(10))).toMatchObject({ status: 415, body: { code: 'wrong-media-type' } })
  })

  it('is refused as malformed where it is not what it says', async () => {
    expect(await send('gzip', Buffer.from('no gzip at all'))).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })
})
