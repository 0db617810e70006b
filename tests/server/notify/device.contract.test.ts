import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { disableUnseen } from '#server/notify/device-store.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { PushServer, taken } from '#tests/support/push-server.ts'

describe.each(oneEngine(import.meta.filename))('devices on $name', (engine) => {
  let pushes: PushServer
  let server: PushServer['server']
  let google: PushServer['google']
  const person: PushServer['person'] = (...args) => pushes.person(...args)
  const register: PushServer['register'] = (...args) => pushes.register(...args)
  const own: PushServer['own'] = (token) => pushes.own(token)
  const notify: PushServer['notify'] = (userId) => pushes.notify(userId)
  const sentTo: PushServer['sentTo'] = (pushId) => pushes.sentTo(pushId)
  const newPushId: PushServer['newPushId'] = () => pushes.newPushId()
  beforeAll(async () => {
    pushes = await PushServer.open(engine)
    server = pushes.server
    google = pushes.google
  })
  afterAll(() => pushes.close())
  beforeEach(() => {
    google.received.length = 0
    google.answers = [taken]
  })

  it('registers a device once, and again under the same id', async () => {
    const { token, id } = await person()
    const pushId = newPushId()
    const first = await register(token, { pushId })
    const again = await register(token, { pushId, isDebug: true })
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body])
    const [device] = await own(token)
    expect(device).toMatchObject({
      id: first.body.id,
      platform: 'web',
      isDebug: true,
      label: 'Firefox · Windows',
      failures: 0,
      disabledAt: null,
    })
    expect(JSON.stringify(device)).not.toContain(pushId)
    const entries = await server.rows(
      `select "action", "entityType", "actorId", "after" from "auditLog" where "entityId" = '${first.body.id}'`,
    )
    expect(entries).toEqual([
      { action: 'create', entityType: 'device', actorId: id, after: { isDebug: false, label: 'Firefox · Windows' } },
    ])
  })

  it.each([
    { platform: 'ios' },
    { platform: ['web'] },
    { pushId: 'x'.repeat(5_000) },
    { pushId: '' },
    { pushId: 'a\u0000b' },
    { pushId: 7 },
    { isDebug: 'true' },
    { userId: 'me' },
  ])('refuses %j', async (body) => {
    const { token } = await person()
    expect((await register(token, body)).status).toBe(400)
    expect(await own(token)).toEqual([])
  })

  it('keeps the longest push id, of any content', async () => {
    const { token, id } = await person()
    const pushId = Array.from({ length: 4096 }, (_, index) => String.fromCharCode(33 + ((index * 7919) % 94))).join('')
    expect((await register(token, { pushId })).status).toBe(201)
    await notify(id)
    await expect.poll(() => sentTo(pushId)).toBe(1)
  })

  it('moves a known device to who registers it now; the former owner gets nothing there', async () => {
    const [former, next] = [await person(), await person()]
    const pushId = newPushId()
    const { body } = await register(former.token, { pushId })
    const moved = await register(next.token, { pushId })
    expect([moved.status, moved.body]).toEqual([200, body])
    expect([await own(former.token), (await own(next.token)).length]).toEqual([[], 1])
    await notify(former.id)
    await notify(next.id)
    await expect.poll(() => sentTo(pushId)).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sentTo(pushId)).toBe(1)
    for (const path of [`device/${body.id}`, `device/${body.id}/test`]) {
      const { status } = await server.call(path.endsWith('test') ? 'POST' : 'DELETE', path, { token: former.token })
      expect(status, path).toBe(404)
    }
  })

  it('drops the notes that wait for its former owner when it moves', async () => {
    const [former, next] = [await person(), await person()]
    const pushId = newPushId()
    const { body } = await register(former.token, { pushId })
    await server.rows(`insert into "pushJob" ("deviceId", "userId", "note", "dueAt")
      values ('${body.id}', '${former.id}', '{}', now() + interval '1 day')`)
    const waiting = () => server.rows(`select 1 from "pushJob" where "deviceId" = '${body.id}'`)
    await register(former.token, { pushId })
    expect(await waiting()).toHaveLength(1)
    await register(next.token, { pushId })
    expect(await waiting()).toEqual([])
  })

  it('registers one device from twenty calls at once', async () => {
    const { token } = await person()
    const pushId = newPushId()
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(token, { pushId })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(await own(token)).toHaveLength(1)
  })

  it('has room for ten thousand devices of one user and no more', async () => {
    const { token, id } = await person()
    await sql`insert into "device" ("id", "userId", "platform", "pushId", "pushIdHash", "isDebug", "createdAt", "lastSeenAt")
      select ${id} || "n", ${id}::text, 'web', 'p', ${id} || "n", false, now(), now() from generate_series(1, 10000) as "n"`.execute(
      server.database.kysely,
    )
    const refused = await register(token)
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const { headers } = await server.call('GET', 'device', { token })
    expect(headers['x-total-count']).toBe('10000')
  })

  it('removes an own device once', async () => {
    const { token } = await person()
    const { body } = await register(token)
    const remove = () => server.call('DELETE', `device/${body.id}`, { token })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
  })

  it('leaves another user’s device alone when a logout names it', async () => {
    const [user, other] = [await person(), await person()]
    const [mine, theirs] = [newPushId(), newPushId()]
    await register(user.token, { pushId: mine })
    await register(other.token, { pushId: theirs })
    const { status } = await server.call('POST', 'auth/logout', { token: user.token, body: { pushId: theirs } })
    expect(status).toBe(204)
    await notify(other.id)
    await expect.poll(() => sentTo(theirs)).toBe(1)
    expect(await server.rows(`select 1 from "device" where "pushId" = '${mine}'`)).toHaveLength(1)
  })

  it('forgets with a logout the device of the browser that signs out', async () => {
    const { token, id } = await person()
    const pushId = newPushId()
    await register(token, { pushId })
    await server.call('POST', 'auth/logout', { token, body: { pushId } })
    expect(await server.rows(`select 1 from "device" where "userId" = '${id}'`)).toEqual([])
  })

  it('sends a test to the device that is asked for, five times a minute', async () => {
    const { token } = await person('client', 'ru')
    const [pushId, another] = [newPushId(), newPushId()]
    const { body } = await register(token, { pushId })
    await register(token, { pushId: another })
    const answer = await server.call('POST', `device/${body.id}/test`, { token })
    expect([answer.status, answer.body.id]).toEqual([202, body.id])
    await expect.poll(() => sentTo(pushId)).toBe(1)
    expect(google.received[0]?.message.notification.title).toBe('Проверка уведомлений')
    expect(sentTo(another)).toBe(0)
    await expect.poll(async () => (await own(token)).find(({ id }) => id === body.id)?.lastOkAt).toMatch(/Z$/)
    const more = await Promise.all(Array.from({ length: 5 }, () => server.call('POST', `device/${body.id}/test`, { token })))
    expect(more.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 202, 429])
  })

  it('keeps the registration of a browser in daily use, and gives up one that nobody opens', async () => {
    const { token } = await person()
    for (const label of ['node', 'Safari · iOS']) {
      const { body } = await register(token)
      await server.rows(
        `update "device" set "label" = '${label}', "lastSeenAt" = now() - interval '59 days' where "id" = '${body.id}'`,
      )
    }
    const stream = await (await server.stream(token)).ready()
    await expect.poll(async () => (await own(token)).map(({ label }) => label)).toEqual(['node', 'Safari · iOS'])
    stream.close()
    await disableUnseen(server.database.kysely, new Date(Date.now() + 2 * 86_400_000))
    const off = (await own(token)).map(({ label, disabledAt }) => [label, disabledAt !== null])
    expect(off).toEqual([
      ['node', false],
      ['Safari · iOS', true],
    ])
  })
})
