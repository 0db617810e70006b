import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

describe('a sender that holds its body back', () => {
  let app: Api
  beforeAll(async () => {
    app = await buildToyApp({
      register: (api) => {
        const config = { access: 'public' } as const
        api.post('/open', { config, bodyLimit: 100 }, async ({ body }) => ({ body }))
        const refuse = async () => {
          throw problem('forbidden')
        }
        api.post('/closed', { config, onRequest: refuse }, async () => ({}))
      },
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  const hold = (path: string, bytes: number) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const head = ['host: x', 'expect: 100-continue', 'content-type: application/json', `content-length: ${bytes}`, '', '']
    socket.write(`POST /api/${path} HTTP/1.1\r\n${head.join('\r\n')}`)
    return socket
  }

  it('is asked for it where it may send it, and is answered', async () => {
    const socket = hold('open', 7)
    expect(String(await once(socket, 'data'))).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{"a":1}')
    expect(String(await once(socket, 'data'))).toContain('{"body":{"a":1}}')
    socket.destroy()
  })

  it.each([
    ['may not send it', 'closed', 7, '403 Forbidden'],
    ['has more than the route takes', 'open', 101, '413 Payload Too Large'],
  ])('is refused without it where it %s, on a connection that ends', async (_, path, bytes, status) => {
    const answer = await text(hold(path, bytes))
    expect(answer).toMatch(`HTTP/1.1 ${status}`)
    expect(answer.toLowerCase()).toContain('connection: close')
  })
})
