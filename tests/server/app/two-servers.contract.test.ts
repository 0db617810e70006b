import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { openDatabase } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { LiveServer } from '#tests/support/live-server.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '#tests/support/postgres.ts'

describe.runIf(postgresUrl())('two servers on one PostgreSQL', () => {
  let database: TestDatabase
  let one: LiveServer
  let other: LiveServer
  let sent: string[] = []
  beforeAll(async () => {
    database = await createTestDatabase()
    const open = () => openDatabase({ databaseUrl: database.url, dataDir: tmpdir() })
    const first = await open()
    await migrate(first, migrations)
    const push = {
      sender: () => ({
        kind: 'firebase' as const,
        send: async ({ pushId }: { pushId: string }) => {
          sent.push(pushId)
          return 'sent' as const
        },
      }),
    }
    one = await LiveServer.open(first, { push })
    other = await LiveServer.open(await open(), { push })
  })
  afterAll(async () => {
    await one.close()
    await other.close()
    await database.drop()
  })

  it('tells readers of both what happens in either', async () => {
    const { token } = await one.signedIn({ email: 'both@example.com', role: 'admin' })
    const readers = await Promise.all([one, other].map(async (server) => (await server.stream(token)).ready()))
    for (const [index, server] of [one, other].entries()) {
      const email = `made-${index}@example.com`
      const { status } = await server.call('POST', 'user', {
        token,
        body: { email, role: 'installer', firstName: 'A', lastName: 'B' },
      })
      expect(status).toBe(201)
    }
    const users = ({ told }: { told: Record<string, unknown>[] }) => told.filter(({ resource }) => resource === 'user')
    await Promise.all(readers.map((reader) => reader.until((stream) => users(stream).length === 2)))
    expect(readers.map(users)[0]).toEqual(readers.map(users)[1])
    for (const reader of readers) reader.close()
  })

  it('lets a reader change to the other server without losing or repeating any of 200 events', async () => {
    const { token } = await one.signedIn({ email: 'mover@example.com', role: 'admin' })
    const first = await (await one.stream(token)).ready()
    const add = (index: number) =>
      inTransaction(index % 2 ? one.database : other.database, async (db) => {
        await sql`insert into "event" ("resource", "entityId", "version", "type") values ('ess', ${`m${index}`}, 1, 'updated')`.execute(
          db,
        )
        await sql`select pg_notify('event', '')`.execute(db)
      })
    // Deliveries of the mails of other tests make events of their own.
    const own = ({ told }: { told: Record<string, unknown>[] }) => told.filter(({ resource }) => resource === 'ess')
    const adding = Promise.all(Array.from({ length: 200 }, (_, index) => add(index)))
    await first.until((reader) => own(reader).length >= 20)
    first.close()
    const seen = own(first)
    const second = await other.stream(token, first.lastId)
    await adding
    await second.until((reader) => own(reader).length + seen.length >= 200)
    const ids = [...seen, ...own(second)].map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([200, 200])
    second.close()
  })

  it('ends a stream here when the session ends there', async () => {
    const { token } = await one.signedIn({ email: 'elsewhere@example.com', role: 'client' })
    const reader = await (await other.stream(token)).ready()
    await one.call('POST', 'auth/logout', { token })
    await reader.until(({ ended }) => ended, 5_000)
  })

  it('has ten streams for one person over both, however many are asked for at once', async () => {
    const { token } = await one.signedIn({ email: 'crowd@example.com', role: 'client' })
    const stranger = await one.signedIn({ email: 'alone@example.com', role: 'client' })
    const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).stream(token)))
    const open = asked.filter(({ status }) => status === 200)
    expect([open.length, asked.filter(({ status }) => status === 429).length]).toEqual([10, 10])
    for (const server of [one, other]) {
      expect((await server.stream(token)).refusal).toMatchObject({ code: 'too-many' })
      expect((await server.stream(stranger.token)).status).toBe(200)
    }
    // A place is free for both as soon as its stream has ended in either.
    open[0]?.close()
    await expect.poll(async () => (await one.stream(token)).status).toBe(200)
    open[1]?.close()
    await expect.poll(async () => (await other.stream(token)).status).toBe(200)
    for (const server of [one, other]) server.closeStreams()
  })

  it('comes back by itself when the database has cut its listener', async () => {
    const { id, token } = await one.signedIn({ email: 'cut@example.com', role: 'client' })
    const reader = await (await one.stream(token)).ready()
    await sql`select pg_terminate_backend("pid") from pg_stat_activity where "datname" = current_database() and "pid" <> pg_backend_pid()`.execute(
      other.database.kysely,
    )
    await inTransaction(other.database, (db) =>
      notifyUser(db, { userId: id, title: ['a', 'a'], body: ['b', 'b'], now: new Date() }),
    )
    await reader.until(({ told }) => told.length === 1, 10_000)
    reader.close()
  })

  it('pushes each note to each device once', async () => {
    const { id, token } = await one.signedIn({ email: 'pushed@example.com', role: 'client' })
    const pushIds = Array.from({ length: 20 }, (_, index) => `push-${index}`)
    for (const pushId of pushIds) await one.call('POST', 'device', { token, body: { isDebug: false, platform: 'web', pushId } })
    sent = []
    await inTransaction(one.database, (db) =>
      notifyUser(db, { userId: id, title: ['a', 'a'], body: ['b', 'b'], now: new Date() }),
    )
    await expect.poll(() => sent.length, { timeout: 5_000 }).toBe(20)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(sent.toSorted()).toEqual(pushIds.toSorted())
  })
})
