import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { freeShareOf } from '#server/engine/http/disk-space.ts'
import { buildToyApp, idleDatabase, json, signedIn } from '#tests/support/toy-app.ts'

const withShare = (share: number, kind: 'embedded' | 'server' = 'embedded') =>
  buildToyApp({ database: { ...idleDatabase(), kind }, freeShare: async () => share })

const file = { 'content-type': 'multipart/form-data; boundary=x' }
const send = (app: Awaited<ReturnType<typeof withShare>>, headers: Record<string, string>, payload = '{}') =>
  app.inject({ method: 'POST', url: '/api/thing', headers: { ...signedIn, ...headers }, payload })

describe('a nearly full disk', () => {
  it('takes no file and no frame under the embedded database, and says why, in the language of the caller', async () => {
    const app = await withShare(0.04)
    const answer = await send(app, { ...file, 'accept-language': 'ru' }, '--x--')
    expect(answer.statusCode).toBe(507)
    expect(answer.json()).toMatchObject({ code: 'disk-full', message: expect.stringContaining('нет места') })
    for (const type of ['text/csv', 'application/octet-stream'])
      expect([type, (await send(app, { 'content-type': type }, 'a,b')).statusCode]).toEqual([type, 507])
    await app.close()
  })

  it('still takes what is small, so that a person can tidy up', async () => {
    const app = await withShare(0.04)
    expect((await send(app, json)).statusCode).toBe(200)
    await app.close()
  })

  it('is no matter of ours where the database has a disk of its own, nor while there is room', async () => {
    for (const app of [await withShare(0.04, 'server'), await withShare(0.06)]) {
      expect((await send(app, file, '--x--')).statusCode).toBe(415)
      await app.close()
    }
  })

  it('is known of the folder that the data lies in', async () => {
    const share = await freeShareOf(tmpdir())
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1)
  })
})
