import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { largestFileBytes } from '#schema/files.ts'
import type { Api } from '#server/base/context.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

let app: Api
let socket: Socket
beforeEach(async () => {
  app = await buildToyApp({
    register: (api) => {
      api.post('/usual', { config: { access: 'public' } }, async () => ({ ok: true }))
      api.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      const config = { access: 'public', isSlowLineServed: true } as const
      api.post('/upload', { config, bodyLimit: largestFileBytes }, async ({ body }) => ({ bytes: (body as Buffer).length }))
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  socket?.destroy()
  await app.close()
})

/** Sends a head and half of a body. */
async function begin(path: string): Promise<void> {
  const seen = once(app.server, 'request')
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  socket.write(`POST /api/${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`)
  await seen
}

async function isCutAfter(seconds: number): Promise<boolean> {
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  for (let count = 0; count < 50 && !socket.closed; count += 1) await turn()
  return socket.closed
}

describe('a body that comes drop by drop', () => {
  it('is cut off after 30 s', async () => {
    await begin('usual')
    expect(await isCutAfter(29)).toBe(false)
    expect(await isCutAfter(2)).toBe(true)
  })

  it('of an upload has time as long as 8 KiB a second arrive', async () => {
    const seen = once(app.server, 'request')
    socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const type = 'application/octet-stream'
    socket.write(`POST /api/upload HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${largestFileBytes}\r\n\r\n`)
    const [{ socket: received }] = await seen
    const head = received.bytesRead
    for (let sent = 0; sent < largestFileBytes; ) {
      const part = Math.min(10_000 * 20, largestFileBytes - sent)
      socket.write(Buffer.alloc(part))
      sent += part
      while (received.bytesRead < head + sent && !socket.closed) await turn()
      expect(await isCutAfter(20), `after ${sent} bytes`).toBe(false)
    }
    expect(answer).toContain(`{"bytes":${largestFileBytes}}`)
  })

  it('of an upload is cut off after 30 s without a byte', async () => {
    await begin('upload')
    expect(await isCutAfter(29)).toBe(false)
    expect(await isCutAfter(2)).toBe(true)
  })
})

it('heads that come drop by drop are cut off by Node: after 30 s, and requests after 35 minutes', () => {
  expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([30_000, 2_078_000])
})
