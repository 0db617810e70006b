import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { largestFileBytes } from '#schema/files.ts'
import type { Api } from '#server/base/context.ts'
import { leastBytesPerS } from '#server/engine/http/slow-body.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

let app: Api
let socket: Socket
let answer: string
beforeEach(async () => {
  app = await buildToyApp({
    register: (api) => {
      api.post('/usual', { config: { access: 'public' } }, async () => ({ ok: true }))
      api.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      const config = { access: 'public', leastBytesPerS: leastBytesPerS.upload } as const
      api.post('/upload', { config, bodyLimit: largestFileBytes }, async ({ body }) => ({ bytes: (body as Buffer).length }))
      const ofBoards = { access: 'public', leastBytesPerS: leastBytesPerS.board } as const
      api.post('/frames', { config: ofBoards, bodyLimit: 1024 * 1024 }, async ({ body }) => ({
        bytes: (body as Buffer).length,
      }))
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

/** Sends a head, and resolves to the connection as the server sees it. */
async function beginHead(path: string, type: string, bytes: number): Promise<Socket> {
  const seen = once(app.server, 'request')
  answer = ''
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(`POST /api/${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`)
  const [{ socket: received }] = await seen
  return received
}

/** Sends a head and half of a body. */
async function begin(path: string): Promise<void> {
  await beginHead(path, 'application/json', 2)
  socket.write('{')
}

/** Sends a body of so many bytes at a speed, until the connection is cut. */
async function sendAt(bytesPerS: number, path: string, bytes: number): Promise<void> {
  const received = await beginHead(path, 'application/octet-stream', bytes)
  const head = received.bytesRead
  for (let sent = 0; sent < bytes; ) {
    const part = Math.min(bytesPerS * 20, bytes - sent)
    socket.write(Buffer.alloc(part))
    sent += part
    while (received.bytesRead < head + sent && !socket.closed) await turn()
    if (await isCutAfter(20)) return
  }
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

  it('is told so, with a code', async () => {
    await begin('usual')
    await isCutAfter(31)
    expect(answer).toMatch(/^HTTP\/1.1 408 .*\r\nconnection: close\r\n.*"code":"too-slow"/is)
  })

  it('of a board has time as long as 1 KiB a second arrive: as over GPRS or NB-IoT', async () => {
    await sendAt(1_100, 'frames', 500_000)
    expect(answer).toContain('{"bytes":500000}')
    await sendAt(900, 'frames', 500_000)
    expect(answer).toContain('"code":"too-slow"')
  })

  it('of an upload has time as long as 8 KiB a second arrive', async () => {
    await sendAt(10_000, 'upload', largestFileBytes)
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
