import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '#server/base/context.ts'
import { buildToyApp, json, signedIn } from '#tests/support/toy-app.ts'

let app: Api
beforeAll(async () => {
  app = await buildToyApp()
})
afterAll(() => app.close())

describe('who may use a route', () => {
  it('is declared by every route, or the server is not built', async () => {
    const forgotten = buildToyApp({ register: (api) => void api.get('/forgotten', async () => 'x') })
    await expect(forgotten).rejects.toThrow('GET /api/forgotten does not declare')
    const nested = buildToyApp({
      register: async (api) => void (await api.register(async (deep) => void deep.put('/deep', async () => 'x'))),
    })
    await expect(nested).rejects.toThrow('PUT /api/deep does not declare')
    const nobody = buildToyApp({ register: (api) => void api.get('/nobody', { config: { access: [] } }, async () => 'x') })
    await expect(nobody).rejects.toThrow('GET /api/nobody')
  })

  it('is asked before the body is read', async () => {
    const stranger = await app.inject({ method: 'POST', url: '/api/thing', headers: json, payload: '{broken' })
    expect(stranger.statusCode).toBe(401)
    const client = await app.inject({
      method: 'POST',
      url: '/api/thing',
      headers: { ...json, authorization: 'Bearer client' },
      payload: '{broken',
    })
    expect(client.statusCode).toBe(403)
  })

  it('counts for every caller and method alike', async () => {
    const status = async (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
      (await app.inject({ method, url, headers })).statusCode
    expect(await status('/api/open')).toBe(200)
    expect(await status('/api/mine')).toBe(401)
    expect(await status('/api/mine', { authorization: 'Bearer client' })).toBe(200)
    expect(await status('/api/staff', { authorization: 'Bearer client' })).toBe(403)
    expect(await status('/api/staff', {}, 'HEAD')).toBe(401)
    expect(await status('/api/staff', signedIn, 'HEAD')).toBe(200)
    expect(await status('/API/staff')).toBe(404)
    expect(await status('/api//staff')).toBe(404)
  })
})
