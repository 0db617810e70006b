import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

const mostGrowthBytes = 50 * 1024 * 1024
const perConnection = 500

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const heapBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const request = (number: number) =>
  `GET /api/health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.${number >> 16}.${(number >> 8) & 255}.${number & 255}\r\n\r\n`

let app: Api
let port = 0
beforeAll(async () => {
  app = await buildToyApp({ config: readConfig({ TRUST_PROXY: '1', RATE_LIMIT_PER_MIN: '1' }) })
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(() => app.close())

/** The statuses of one call of each address, over one connection: a connection for each would take minutes. */
const ask = (...addresses: readonly number[]) =>
  new Promise<string[]>((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(addresses.map(request).join('')))
    socket.setEncoding('latin1').on('error', reject)
    socket.on('data', (chunk: string) => {
      text += chunk
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)
      if (statuses.length < addresses.length) return
      socket.destroy()
      resolve(statuses)
    })
  })

it('a hundred thousand addresses that are counted hold less than 50 MB, and the last of them are still counted', async () => {
  const from = (first: number) => Array.from({ length: perConnection }, (_, index) => first + index)
  await ask(...from(0))
  const before = heapBytes()
  for (let first = perConnection; first < 100_000; first += perConnection)
    expect(new Set(await ask(...from(first)))).toEqual(new Set(['200']))
  expect(heapBytes() - before).toBeLessThan(mostGrowthBytes)
  expect(await ask(99_999, 99_500, 100_001)).toEqual(['429', '429', '200'])
}, 180_000)
