import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { disableUnseen } from '#server/notify/device-store.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { takePushJobs } from '#server/notify/push-jobs.ts'
import { afterFirst } from '#tests/support/after-first.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { fcmError } from '#tests/support/google-stub.ts'
import { LiveServer } from '#tests/support/live-server.ts'
import { PushServer, taken } from '#tests/support/push-server.ts'

describe.each(oneEngine(import.meta.filename))('pushes on $name', (engine) => {
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

  it('disables a device that is gone, until it registers again', async () => {
    const { token, id } = await person()
    const pushId = newPushId()
    const { body } = await register(token, { pushId })
    google.answers = [fcmError(404, 'UNREGISTERED'), taken]
    await notify(id)
    await expect.poll(async () => (await own(token))[0]?.disabledAt).toMatch(/Z$/)
    await notify(id)
    expect(await server.call('POST', `device/${body.id}/test`, { token })).toMatchObject({
      status: 409,
      body: { code: 'device.disabled' },
    })
    await register(token, { pushId })
    await notify(id)
    await expect.poll(() => sentTo(pushId)).toBe(2)
    expect((await own(token))[0]).toMatchObject({ id: body.id, failures: 0, disabledAt: null })
  })

  it('disables a device after five refusals in a row', async () => {
    const { token, id } = await person()
    const pushId = newPushId()
    await register(token, { pushId })
    google.answers = [...Array(4).fill(fcmError(400, 'INVALID_ARGUMENT')), taken, fcmError(400, 'INVALID_ARGUMENT')]
    for (let index = 1; index <= 9; index += 1) {
      await notify(id)
      await expect.poll(() => sentTo(pushId)).toBe(index)
    }
    expect((await own(token))[0]).toMatchObject({ disabledAt: null })
    await notify(id)
    await expect.poll(async () => (await own(token))[0]).toMatchObject({ failures: 5, disabledAt: expect.stringMatching(/Z$/) })
  })

  it('tries again while the service is away or slow, and leaves the device alone when it stays away', async () => {
    const { token, id } = await person()
    const pushId = newPushId()
    await register(token, { pushId })
    google.answers = [fcmError(503, 'UNAVAILABLE'), { ...taken, delayMs: 600 }, fcmError(429, 'QUOTA_EXCEEDED'), taken]
    await notify(id)
    await expect.poll(() => sentTo(pushId), { timeout: 20_000 }).toBe(4)
    await expect.poll(async () => (await own(token))[0]?.lastOkAt).toMatch(/Z$/)
    google.answers = [fcmError(503, 'UNAVAILABLE')]
    await notify(id)
    await expect.poll(() => sentTo(pushId), { timeout: 30_000 }).toBe(9)
    await expect.poll(() => server.rows('select 1 from "pushJob"')).toEqual([])
    expect((await own(token))[0]).toMatchObject({ failures: 0, disabledAt: null })
    const lost = `select "channel", "kind", "attempts", "state" from "undelivered_message" where "userId" = '${id}'`
    expect(await server.rows(lost)).toEqual([{ channel: 'PUSH', kind: 'push', attempts: 5, state: 'FAILED' }])
  }, 60_000)

  it('pushes nothing when the change that tells is rolled back, and nothing to who is locked', async () => {
    const { token, id } = await person()
    const pushId = newPushId()
    await register(token, { pushId })
    const failing = inTransaction(server.database, async (db) => {
      await notifyUser(db, { userId: id, title: ['a', 'a'], body: ['b', 'b'], now: new Date() })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await sql`update "user" set "lockedAt" = now() where "id" = ${id}`.execute(server.database.kysely)
    await notify(id)
    await expect.poll(() => server.rows('select 1 from "pushJob"')).toEqual([])
    expect(sentTo(pushId)).toBe(0)
  })

  it('takes nothing for who is locked between the look for whom to forget and the look for what to send', async () => {
    const { token, id } = await person()
    await register(token)
    const { kysely } = server.database
    // Of tomorrow, so that the queue of the server leaves it alone.
    const now = new Date(Date.now() + 86_400_000)
    const take = (db: Queryable) => takePushJobs(db, { now, until: new Date(now.getTime() + 60_000), limit: 100 })
    await inTransaction(server.database, (db) => notifyUser(db, { userId: id, title: ['a', 'a'], body: ['b', 'b'], now }))
    const lock = () => sql`update "user" set "lockedAt" = now() where "id" = ${id}`.execute(kysely)
    expect(await take(afterFirst(kysely, lock))).toEqual([])
    expect(await take(kysely)).toEqual([])
    expect(await server.rows('select 1 from "pushJob"')).toEqual([])
  })

  it('forgets what was queued for who had the device before, and lets nobody wait behind it', async () => {
    const [before, after] = [await person(), await person()]
    const pushId = newPushId()
    const { body } = await register(after.token, { pushId })
    // As it is left by a change that ends after the device has moved.
    await server.rows(`insert into "pushJob" ("deviceId", "userId", "note", "dueAt")
      select '${body.id}', '${before.id}', '{"id": "old", "title": ["a", "a"], "body": ["b", "b"], "link": null}', '2025-01-01' from generate_series(1, 20)`)
    await notify(after.id)
    await expect.poll(() => sentTo(pushId)).toBe(1)
    await expect.poll(() => server.rows('select 1 from "pushJob"')).toEqual([])
    expect(sentTo(pushId)).toBe(1)
  })

  it('links to its own pages only', async () => {
    const { id } = await person()
    for (const link of ['//evil.example', '/\\evil', 'https://evil.example', 'javascript:alert(1)', 'ess', '/a b'])
      await expect(
        notifyUser(server.database.kysely, { userId: id, title: ['a', 'a'], body: ['b', 'b'], link, now: new Date() }),
      ).rejects.toThrow('links to a page')
  })

  it('gives up devices of which nothing was heard for sixty days', async () => {
    const { token } = await person()
    await register(token)
    await disableUnseen(server.database.kysely, new Date(Date.now() + 59 * 86_400_000))
    expect((await own(token))[0]?.disabledAt).toBeNull()
    await disableUnseen(server.database.kysely, new Date(Date.now() + 61 * 86_400_000))
    expect((await own(token))[0]?.disabledAt).toMatch(/Z$/)
  })
})

describe.each(oneEngine(import.meta.filename))('pushes without a push service on $name', (engine) => {
  it('come by the stream of the open console, each once', async () => {
    const server = await LiveServer.open(await openProductTables(engine))
    const { id, token } = await server.signedIn({ email: 'sse@example.com', role: 'client' })
    const other = await server.signedIn({ email: 'other@example.com', role: 'client' })
    const streams = await Promise.all([token, token, other.token].map(async (one) => (await server.stream(one)).ready()))
    const devices = ['a', 'b'].map((pushId) =>
      server.call('POST', 'device', { token, body: { isDebug: false, platform: 'web', pushId } }),
    )
    const [device] = await Promise.all(devices)
    const noteId = await inTransaction(server.database, (db) =>
      notifyUser(db, { userId: id, title: ['Cell', 'Ячейка'], body: ['Hot', 'Жарко'], link: '/ess', now: new Date() }),
    )
    await expect.poll(() => server.rows('select 1 from "pushJob"')).toEqual([])
    await server.call('POST', `device/${device?.body.id}/test`, { token })
    await Promise.all(streams.slice(0, 2).map((stream) => stream.until(({ told }) => told.length === 2)))
    for (const { told } of streams.slice(0, 2)) {
      expect(told[0]).toMatchObject({
        resource: 'notification',
        type: 'notification',
        id: noteId,
        version: 1,
        title: ['Cell', 'Ячейка'],
        link: '/ess',
      })
      expect(told[1]).toMatchObject({ type: 'notification', deviceId: device?.body.id })
    }
    expect(streams[2]?.told).toEqual([])
    await server.close()
  })
})
