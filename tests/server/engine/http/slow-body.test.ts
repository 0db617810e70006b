import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

let app: Api
let socket: Socket
beforeEach(async () => {
  app = await buildToyApp({
    register: (api) => {
      api.post('/usual', { config: { access: 'public' } }, async () => ({ ok: true }))
      api.post('/upload', { config: { access: 'public', bodyTimeoutS: 600 } }, async () => ({ ok: true }))
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

  it('of an upload has ten minutes, and no more', async () => {
    await begin('upload')
    expect(await isCutAfter(590)).toBe(false)
    expect(await isCutAfter(11)).toBe(true)
  })
})

it('heads that come drop by drop are cut off by Node: after 30 s, and requests after ten minutes', () => {
  expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([30_000, 600_000])
})
