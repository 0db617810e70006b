import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { engines, openProductTables } from '#tests/support/databases.ts'
import { LiveServer } from '#tests/support/live-server.ts'

describe.each(engines)('live events on $name', (engine) => {
  let server: LiveServer
  let count = 0
  const person = (role: Parameters<LiveServer['addUser']>[0]['role']) =>
    server.signedIn({ email: `live-${count++}@example.com`, role })
  const listed = (token: string) => fetch(`${server.address}/api/ess`, { headers: { authorization: `Bearer ${token}` } })
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine), { limits: { slowMs: 2_000 } })
  })
  afterAll(() => server.close())
  afterEach(() => server.closeStreams())

  it('refuses a stream without a living token as JSON, and reads none out of the address', async () => {
    const { token } = await person('admin')
    for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: `Bearer ${'A'.repeat(43)}` }]) {
      const answer = await fetch(`${server.address}/api/events?token=${token}`, { headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(await answer.json()).toMatchObject({ statusCode: 401 })
    }
  })

  it('opens within a second, uncompressed and not to be kept by anybody', async () => {
    const { token } = await person('admin')
    const reader = await (await server.stream(token)).ready()
    expect(reader.firstByteMs).toBeLessThan(1_000)
    expect(reader.comments).toBe(1)
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reader.headers.get('cache-control')).toBe('no-store')
    expect(reader.headers.get('x-accel-buffering')).toBe('no')
    expect(reader.headers.get('content-encoding')).toBeNull()
    expect(reader.headers.get('x-content-type-options')).toBe('nosniff')
    const head = await fetch(`${server.address}/api/events`, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } })
    expect(head.status).toBe(404)
  })

  it('tells a change with its version, without the values', async () => {
    const { token } = await person('admin')
    const reader = await (await server.stream(token)).ready()
    const id = await server.makeEss(token)
    await server.call('PUT', `ess/${id}`, { token, body: { version: 1, name: 'Another' } })
    await reader.until(({ told }) => told.length >= 2)
    expect(reader.told).toEqual([
      { resource: 'ess', id, version: 1, type: 'created', at: expect.stringMatching(/Z$/) },
      { resource: 'ess', id, version: 2, type: 'updated', at: expect.stringMatching(/Z$/) },
    ])
  })

  it('goes on from any answer of the session, and tells what has changed since', async () => {
    const { token } = await person('admin')
    await server.makeEss(token)
    await expect.poll(async () => (await listed(token)).headers.get('x-event-id')).toMatch(/^\d+-\d+-\d+$/)
    const { headers } = await listed(token)
    expect(headers.get('access-control-expose-headers')).toContain('X-Event-Id')
    const id = await server.makeEss(token)
    const reader = await server.stream(token, headers.get('x-event-id') ?? undefined)
    await reader.until(({ told }) => told.some((event) => 'id' in event && event.id === id))
    expect(new Set(reader.events.map(({ signal }) => signal))).toEqual(new Set(['']))
    const stranger = await fetch(`${server.address}/api/health`)
    expect(stranger.headers.get('x-event-id')).toBeNull()
  })

  it('tells each role what it may read, and clients and installers only what is for them', async () => {
    const admin = await person('admin')
    const people = await Promise.all((['moderator', 'service_engineer', 'installer', 'client'] as const).map(person))
    const streams = await Promise.all(people.map(async ({ token }) => (await server.stream(token)).ready()))
    await server.makeEss(admin.token)
    await server.call('POST', 'user', {
      token: admin.token,
      body: { email: `new-${count++}@example.com`, role: 'service_engineer', firstName: 'A', lastName: 'B' },
    })
    const { kysely } = server.database
    for (const { id: userId } of people)
      await inTransaction(server.database, (db) =>
        notifyUser(db, { userId, title: ['Hello', 'Привет'], body: ['You', 'Вы'], link: '/profile', now: new Date() }),
      )
    await rowsOf(kysely, sql`select pg_notify('event', '0 ess')`)
    await Promise.all(streams.map((stream) => stream.until(({ told }) => told.some(({ type }) => type === 'notification'))))
    const heard = streams.map(({ told }) => [...new Set(told.map(({ resource }) => resource))])
    expect(heard).toEqual([
      ['ess', 'invitation', 'user', 'notification'],
      ['ess', 'notification'],
      ['notification'],
      ['notification'],
    ])
    for (const { told } of streams) expect(told.filter(({ type }) => type === 'notification')).toHaveLength(1)
    expect(streams[3]?.told[0]).toMatchObject({ version: 1, title: ['Hello', 'Привет'], body: ['You', 'Вы'], link: '/profile' })
  })

  it('tells a client of the systems that are his or shared with him, and of no other', async () => {
    const admin = await person('admin')
    const [owner, guest, stranger] = [await person('client'), await person('client'), await person('client')]
    const [mine, other] = [await server.makeEss(admin.token), await server.makeEss(admin.token)]
    await server.call('PUT', `ess/${mine}/owner`, { token: admin.token, body: { clientId: owner.id } })
    await server.rows(
      `insert into "guest" ("id", "essId", "userId", "access", "state") values ('live-guest', '${mine}', '${guest.id}', 'VIEW', 'ACTIVE')`,
    )
    const streams = await Promise.all([owner, guest, stranger].map(async ({ token }) => (await server.stream(token)).ready()))
    for (const id of [other, mine]) {
      const { body } = await server.call('GET', `ess/${id}`, { token: admin.token })
      await server.call('PUT', `ess/${id}`, { token: admin.token, body: { version: body.version, name: 'Another' } })
    }
    for (const userId of [owner.id, guest.id, stranger.id])
      await inTransaction(server.database, (db) =>
        notifyUser(db, { userId, title: ['Last', 'Всё'], body: ['You', 'Вы'], link: '/', now: new Date() }),
      )
    await rowsOf(server.database.kysely, sql`select pg_notify('event', '0 ess')`)
    await Promise.all(streams.map((stream) => stream.until(({ told }) => told.some(({ type }) => type === 'notification'))))
    const heard = streams.map(({ told }) => told.flatMap(({ resource, id }) => (resource === 'ess' ? [id] : [])))
    expect(heard).toEqual([[mine], [mine], []])
  })

  it('keeps to the rows of a role where it has a scope', async () => {
    const mine = await person('service_engineer')
    const reader = await (await server.stream(mine.token)).ready()
    const { kysely } = server.database
    const rows = await rowsOf(kysely, sql<{ id: string; actorId: string | null }>`select "id", "actorId" from "auditLog"`)
    for (const { id } of rows)
      await sql`insert into "event" ("resource", "entityId", "version", "type") values ('audit-log', ${id}, 1, 'created')`.execute(
        kysely,
      )
    await sql`insert into "event" ("resource", "entityId", "version", "type") values ('ess', 'last', 1, 'created')`.execute(
      kysely,
    )
    await rowsOf(kysely, sql`select pg_notify('event', '')`)
    await reader.until(({ told }) => told.some(({ id }) => id === 'last'))
    const own = rows.filter(({ actorId }) => actorId === mine.id).map(({ id }) => id)
    expect(reader.told.flatMap(({ resource, id }) => (resource === 'audit-log' ? [id] : []))).toEqual(own)
    expect(rows.length).toBeGreaterThan(own.length)
  })

  it('goes on after the last event that was read, and loses none of 200', async () => {
    const { token } = await person('admin')
    const first = await (await server.stream(token)).ready()
    for (let index = 0; index < 100; index += 1)
      await sql`with "a" as (insert into "event" ("resource", "entityId", "version", "type") values ('ess', ${`r${index}`}, 1, 'updated') returning "id")
        select pg_notify('event', "id"::text) from "a"`.execute(server.database.kysely)
    await first.until(({ told }) => told.length >= 60)
    first.close()
    const seen = first.told.map(({ id }) => id)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        inTransaction(server.database, async (db) => {
          await sql`insert into "event" ("resource", "entityId", "version", "type") values ('ess', ${`r${100 + index}`}, 1, 'updated')`.execute(
            db,
          )
          await sql`select pg_notify('event', '')`.execute(db)
        }),
      ),
    )
    const second = await server.stream(token, first.lastId)
    await second.until(({ told }) => told.length + seen.length >= 200)
    const all = [...seen, ...second.told.map(({ id }) => id)]
    expect(all).toHaveLength(200)
    expect(new Set(all).size).toBe(200)
    expect(second.events.some(({ signal }) => signal !== '')).toBe(false)
  })

  it('answers junk, the future and long ago with a reset and nothing of others', async () => {
    const { token } = await person('client')
    const other = await person('client')
    await inTransaction(server.database, (db) =>
      notifyUser(db, { userId: other.id, title: ['a', 'a'], body: ['b', 'b'], now: new Date() }),
    )
    const now = Date.now()
    const ids = [
      'junk',
      '',
      '-1',
      '1-1',
      `1-1-${now - 4_000_000}`,
      `9999999999999999999-1-${now}`,
      '0-0-9999999999999',
      `0-0-${now + 200_000}`,
      "1-1-1'; drop table event",
      '../..',
      '9'.repeat(500),
    ]
    for (const id of ids) {
      const reader = await (await server.stream(token, id)).ready()
      expect(
        reader.events.map(({ signal }) => signal),
        id,
      ).toEqual(['reset'])
      reader.close()
    }
    const resumed = await server.stream(token, `0-0-${now}`)
    await inTransaction(server.database, (db) =>
      notifyUser(db, { userId: other.id, title: ['a', 'a'], body: ['b', 'b'], now: new Date() }),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(resumed.events).toEqual([])
  })

  it('is read again as a whole by who has missed more than five thousand events, and goes on for who has missed fewer', async () => {
    const { token } = await person('client')
    const add = (count: number) =>
      sql`insert into "event" ("resource", "entityId", "version", "type") select 'ess', 'of-nobody', 1, 'updated'
        from generate_series(1, ${count}::int)`.execute(server.database.kysely)
    const first = await (await server.stream(token)).ready()
    const from = first.lastId
    first.close()
    await add(5_000)
    const second = await server.stream(token, from)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(second.events).toEqual([])
    second.close()
    await add(1)
    const third = await (await server.stream(token, from)).ready()
    expect(third.events.map(({ signal }) => signal)).toEqual(['reset'])
  })
})
