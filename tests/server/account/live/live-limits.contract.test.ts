import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServerPart } from '#server/base/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import type { EventReader } from '#tests/support/event-reader.ts'
import { LiveServer } from '#tests/support/live-server.ts'

describe.each(oneEngine(import.meta.filename))('the limits of live events on $name', (engine) => {
  let server: LiveServer
  let count = 0
  const person = (role: Parameters<LiveServer['addUser']>[0]['role']) =>
    server.signedIn({ email: `live-${count++}@example.com`, role })
  beforeAll(async () => {
    server = await LiveServer.open(await openProductTables(engine), { limits: { slowMs: 2_000 } })
  })
  afterAll(() => server.close())
  afterEach(() => server.closeStreams())

  it('has ten streams for one user and refuses the next', async () => {
    const { token } = await person('admin')
    const ten = await Promise.all(Array.from({ length: 10 }, () => server.stream(token)))
    expect(ten.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const next = await server.stream(token)
    expect([next.status, next.refusal.code, Number(next.headers.get('retry-after'))]).toEqual([429, 'too-many', 10])
    ten[0]?.close()
    await expect.poll(async () => (await server.stream(token)).status).toBe(200)
  })

  it('keeps no place for a reader who has left before his stream began', async () => {
    const slow: ServerPart = {
      name: 'slow',
      register: (api) => {
        api.addHook('preHandler', async ({ url }) => {
          if (url.endsWith('/events')) await sleep(300)
        })
      },
    }
    const late = await LiveServer.open(await openProductTables(engine), { parts: [slow] })
    onTestFinished(() => late.close())
    const { token } = await late.signedIn({ email: 'left@example.com', role: 'admin' })
    const headers = { authorization: `Bearer ${token}` }
    const left = await Promise.allSettled(
      Array.from({ length: 10 }, () => fetch(`${late.address}/api/events`, { headers, signal: AbortSignal.timeout(100) })),
    )
    expect(left.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
    await sleep(500)
    expect((await late.stream(token)).status).toBe(200)
  })

  it('ends with the session: logout, lock, another role, the end of the token', async () => {
    const admin = await person('admin')
    const ends: Record<string, (user: { id: string; token: string }) => Promise<unknown>> = {
      logout: ({ token }) => server.call('POST', 'auth/logout', { token }),
      lock: ({ id }) => server.call('DELETE', `user/${id}/lock`, { token: admin.token }),
      role: ({ id }) => server.call('PUT', `user/${id}`, { token: admin.token, body: { version: 1, role: 'installer' } }),
      elsewhere: ({ id }) => sql`update "session" set "endedAt" = now() where "userId" = ${id}`.execute(server.database.kysely),
      demoted: ({ id }) => sql`update "user" set "role" = 'installer' where "id" = ${id}`.execute(server.database.kysely),
      token: async () => server.pass(901),
    }
    for (const [name, end] of Object.entries(ends)) {
      const user = await person('service_engineer')
      const reader = await (await server.stream(user.token)).ready()
      await end(user)
      const ended = performance.now()
      await reader.until((stream) => stream.ended, 5_000)
      expect(performance.now() - ended, name).toBeLessThan(5_000)
    }
  })

  it('drops a reader who does not read, and serves the others meanwhile', async () => {
    const { token } = await person('admin')
    const { hostname, port } = new URL(server.address)
    const lazy = connect(Number(port), hostname).pause()
    lazy.on('error', () => {})
    const cut = new Promise<number>((resolve) => {
      server.app.server.once('connection', (socket) => socket.once('close', () => resolve(performance.now())))
    })
    lazy.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await expect
      .poll(() => new Promise((resolve) => server.app.server.getConnections((_, open) => resolve(open))))
      .toBeGreaterThan(0)
    const reader = await (await server.stream(token)).ready()
    const before = process.memoryUsage().arrayBuffers
    const total = 12_000
    await sql`insert into "event" ("resource", "entityId", "version", "type", "at")
      select 'ess', repeat('x', 1000) || "n", 1, 'updated', now() from generate_series(1, ${total}::int) as "n"`.execute(
      server.database.kysely,
    )
    const started = performance.now()
    await sql`select pg_notify('event', '')`.execute(server.database.kysely)
    await reader.until(({ told }) => told.length >= total, 15_000)
    expect(reader.told).toHaveLength(total)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000)
    expect((await cut) - started).toBeLessThan(15_000)
    lazy.destroy()
  })

  describe('a reader who asks for at most twenty changes a second', () => {
    const change = (resource: string, count: number) =>
      inTransaction(server.database, async (db) => {
        await sql`insert into "event" ("resource", "entityId", "version", "type", "at")
          select ${resource}, 'x' || "n", 1, 'updated', now() from generate_series(1, ${count}::int) as "n"`.execute(db)
        await sql`select pg_notify('event', '')`.execute(db)
      })
    const mergedOf = ({ events }: EventReader) => events.filter(({ signal }) => signal === 'merged').map(({ data }) => data)

    it('is told the others within a second in one message, however many they are', async () => {
      const { token } = await person('admin')
      const reader = await (await server.stream(token, undefined, '?mostPerS=20')).ready()
      await change('ess', 3_000)
      await change('control-pcb', 3_000)
      await reader.until((stream) => mergedOf(stream).length > 0)
      expect(reader.told).toHaveLength(20)
      expect(mergedOf(reader)).toEqual([{ type: 'merged', resources: ['ess', 'control-pcb'] }])
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await change('user', 1)
      await reader.until(({ told }) => told.length === 21)
      expect(mergedOf(reader)).toHaveLength(1)
    })

    it('resumes after a merged message without a gap', async () => {
      const { token } = await person('admin')
      const reader = await (await server.stream(token, undefined, '?mostPerS=20')).ready()
      await change('ess', 25)
      await reader.until((stream) => mergedOf(stream).length > 0)
      reader.close()
      await change('user', 1)
      const next = await server.stream(token, reader.lastId)
      await next.until(({ told }) => told.length > 0)
      expect(next.told.map(({ resource }) => resource)).toEqual(['user'])
    })

    it('hears a notice at once, after the changes before it', async () => {
      const { token, id: userId } = await person('admin')
      const reader = await (await server.stream(token, undefined, '?mostPerS=20')).ready()
      await change('ess', 25)
      await inTransaction(server.database, (db) =>
        notifyUser(db, { userId, title: ['Hello', 'Привет'], body: ['You', 'Вы'], link: '/profile', now: new Date() }),
      )
      await sql`select pg_notify('event', '')`.execute(server.database.kysely)
      await reader.until(({ told }) => told.length === 21)
      expect(reader.events.slice(-2).map(({ data }) => data.type)).toEqual(['merged', 'notification'])
    })

    it('is refused with a number that is none', async () => {
      const { token } = await person('admin')
      for (const query of ['?mostPerS=0', '?mostPerS=x', '?mostPerS=1000', '?most=5'])
        expect((await server.stream(token, undefined, query)).status, query).toBe(400)
    })
  })

  // The embedded database runs one transaction at a time: there is no older one to wait for.
  if (engine.name === 'PostgreSQL')
    it('waits for an older transaction, so that nothing is told out of its order', async () => {
      const { token } = await person('admin')
      const reader = await (await server.stream(token)).ready()
      const slow = await server.database.pool.connect()
      const late = (id: string) =>
        sql`insert into "event" ("resource", "entityId", "version", "type") values ('ess', ${id}, 1, 'updated')`
      await slow.query('begin')
      await slow.query('select pg_current_xact_id()')
      await inTransaction(server.database, async (db) => {
        await late('young').execute(db)
        await sql`select pg_notify('event', '')`.execute(db)
      })
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(reader.told).toEqual([])
      await slow.query(`insert into "event" ("resource", "entityId", "version", "type") values ('ess', 'old', 1, 'updated')`)
      await slow.query('commit')
      slow.release()
      await reader.until(({ told }) => told.length === 2)
      expect(reader.told.map(({ id }) => id)).toEqual(['old', 'young'])
    })

  it('ends its streams when the server stops', async () => {
    const other = await LiveServer.open(await openProductTables(engine))
    const { token } = await other.signedIn({ email: 'stop@example.com', role: 'admin' })
    const reader = await (await other.stream(token)).ready()
    const { server: listening } = other.app
    const cutOff = listening.closeAllConnections.bind(listening)
    const atCutOff: boolean[] = []
    vi.spyOn(listening, 'closeAllConnections').mockImplementation(() => {
      atCutOff.push(reader.ended)
      cutOff()
    })
    const started = performance.now()
    await other.close()
    expect(performance.now() - started).toBeLessThan(5_000)
    await reader.until(({ ended }) => ended)
    // By itself, before connections are cut off that nobody uses.
    expect(atCutOff).not.toContain(false)
  })
})
