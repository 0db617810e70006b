import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

let app: Api | undefined
afterEach(() => app?.close())

const still = new Int32Array(new SharedArrayBuffer(4))

/** Blocks the event loop as a heavy computation does, until the measure of the delay has seen it, without computing anything. */
async function stand(forMs: number): Promise<void> {
  Atomics.wait(still, 0, 0, forMs)
  await sleep(1)
}

const toys = (load: { delayMs: number; heapBytes: number }) =>
  buildToyApp({
    load,
    register: (api) => {
      api.get('/open', { config: { access: 'public' } }, async () => ({ ok: true }))
      api.get('/board', { config: { access: 'public', shed: 'first' } }, async () => ({ ok: true }))
    },
  })

it('a server that is behind refuses calls with the time to come back, answers for its health, and recovers', async () => {
  app = await toys({ delayMs: 400, heapBytes: 1e12 })
  const server = app
  expect((await server.inject('/api/open')).statusCode).toBe(200)
  await expect
    .poll(
      async () => {
        // Again and again: the pauses of this poll, in which nothing is late, count in the mean as well.
        for (let turn = 0; turn < 4; turn += 1) await stand(900)
        return (await server.inject('/api/open')).statusCode
      },
      { timeout: 35_000 },
    )
    .toBe(503)
  const refused = await server.inject('/api/open')
  expect(refused.json()).toMatchObject({
    statusCode: 503,
    code: 'unavailable',
    message: 'The service is not available right now. Try again in a moment',
  })
  expect(refused.headers['retry-after']).toBe('5')
  const board = await server.inject('/api/board')
  expect(Number(board.headers['retry-after'])).toBeGreaterThanOrEqual(30)
  expect((await server.inject('/api/health')).statusCode).toBe(200)
  // Files of the console and unknown addresses cost nothing.
  expect((await server.inject('/nowhere')).statusCode).toBe(404)
  await expect.poll(async () => (await server.inject('/api/open')).statusCode).toBe(200)
}, 40_000)

it('boards wait before people do: they keep their frames', async () => {
  app = await toys({ delayMs: 400, heapBytes: 1e12 })
  const server = app
  const statusOf = async (url: string) => (await server.inject(url)).statusCode
  await expect
    .poll(
      async () => {
        // Late by 0.3 s again and again: between half of the limit and the whole.
        for (let turn = 0; turn < 8; turn += 1) await stand(300)
        return [await statusOf('/api/board'), await statusOf('/api/open')]
      },
      { timeout: 35_000 },
    )
    .toEqual([503, 200])
}, 40_000)

it('a server that has just begun to listen is not behind by its own start', async () => {
  app = await toys({ delayMs: 400, heapBytes: 1e12 })
  const server = app
  await stand(1_500)
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  for (let tried = 0; tried < 10; tried += 1) {
    expect((await fetch(`${address}/api/open`)).status).toBe(200)
    await sleep(150)
  }
})

it('a server that is short of memory refuses calls, too', async () => {
  app = await toys({ delayMs: 60_000, heapBytes: 1 })
  const server = app
  await expect.poll(async () => (await server.inject('/api/open')).statusCode).toBe(503)
  expect((await server.inject('/api/board')).statusCode).toBe(503)
  expect((await server.inject('/api/health')).statusCode).toBe(200)
})
