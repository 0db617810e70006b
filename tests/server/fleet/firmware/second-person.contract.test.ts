import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { multipart } from '#tests/support/multipart.ts'

let count = 0

describe.each(oneEngine(import.meta.filename))('a release by a second person on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: '0', RELEASE_BY_SECOND_PERSON: 'true' })
  }, 120_000)
  afterAll(() => server?.close())

  const signedIn = async (role: Role) => (await server.signedIn({ email: `person-${++count}@test.example`, role })).token
  const uploadedBy = async (token: string) => {
    const content = buildImage({
      firmwareVersion: `8.${++count}.0`,
      hardwareRevisions: ['A1'],
      payload: Buffer.alloc(500, `${count}`),
    })
    const { headers, payload } = multipart([{ name: 'file', filename: 'image.bin', content }])
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/firmware',
      headers: { ...headers, authorization: `Bearer ${token}` },
      payload,
    })
    expect(answer.statusCode).toBe(201)
    return answer.json<{ id: string }>().id
  }
  const set = async (token: string, id: string, status: string, language = 'en') => {
    const call = { token, body: { status, reason: 'proved on the bench' }, headers: { 'accept-language': language } }
    const { status: answered, body } = await server.call('PUT', `firmware/${id}/status`, call)
    return { status: answered, code: body.code, message: body.message }
  }
  const refused = { status: 403, code: 'firmware.second-person' }

  it('is refused to who has uploaded the image, with the reason in both languages, and open to another admin', async () => {
    const [author, tester, other] = [await signedIn('admin'), await signedIn('moderator'), await signedIn('admin')]
    const id = await uploadedBy(author)
    expect((await set(tester, id, 'TESTING')).status).toBe(200)
    expect(await set(author, id, 'RELEASED')).toMatchObject({ ...refused, message: expect.stringContaining('Another admin') })
    expect((await set(author, id, 'RELEASED', 'ru')).message).toContain('другой администратор')
    const [kept] = await server.rows(`select "status" from "firmware" where "id" = '${id}'`)
    expect(kept?.status).toBe('TESTING')
    expect((await set(other, id, 'RELEASED')).status).toBe(200)
  })

  it('is refused to who has put the image to the test, and to its author again after it was deprecated', async () => {
    const [author, tester, other] = [await signedIn('admin'), await signedIn('admin'), await signedIn('admin')]
    const id = await uploadedBy(author)
    expect((await set(tester, id, 'TESTING')).status).toBe(200)
    expect(await set(tester, id, 'RELEASED')).toMatchObject(refused)
    expect((await set(other, id, 'RELEASED')).status).toBe(200)
    expect((await set(author, id, 'DEPRECATED')).status).toBe(200)
    expect(await set(author, id, 'RELEASED')).toMatchObject(refused)
  })

  it('keeps nobody from taking an image back', async () => {
    const author = await signedIn('admin')
    const id = await uploadedBy(author)
    expect((await set(author, id, 'TESTING')).status).toBe(200)
    expect((await set(author, id, 'REVOKED')).status).toBe(200)
  })
})
