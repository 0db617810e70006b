import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { latestPosition, readEvents } from '#server/account/live/event-store.ts'
import { runDataCommand } from '#server/app/data-commands.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { rowOf } from '#server/db/query.ts'
import type { EventReader } from '#tests/support/event-reader.ts'
import { LiveServer } from '#tests/support/live-server.ts'
import { administer, binaryFolder, startPrivateServer } from '#tests/support/postgres.ts'
import { productTables } from '#tests/support/templates.ts'

const binaries = binaryFolder()
/** More transactions than the younger cluster needs to restore three times and to start servers. */
const aheadBy = 5_000

/** A block with a handler is a transaction of its own in the count of a cluster, as soon as it writes. */
const spend = ({ kysely }: Database, transactions: number) =>
  sql`${sql.raw(`do $$ begin create temp table if not exists "spent" ("n" int4); for n in 1..${transactions} loop
    begin insert into "spent" values (n); exception when others then null; end; end loop; end $$`)}`.execute(kysely)

const newestXid = async ({ kysely }: Database): Promise<number> =>
  (await rowOf(kysely, sql<{ xid: number }>`select max("xid"::text::int8) as "xid" from "event"`))?.xid ?? 0
const nextXid = async ({ kysely }: Database): Promise<number> =>
  (await rowOf(kysely, sql<{ xid: number }>`select pg_snapshot_xmax(pg_current_snapshot())::text::int8 as "xid"`))?.xid ?? 0
const idsTold = ({ told }: EventReader) => told.map(({ id }) => id)

/** An address behind which another cluster takes the place of the first one. */
class Switch {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  #port: number

  constructor(url: string) {
    this.#port = Number(new URL(url).port)
    this.#server = createServer((near) => {
      const far = connect(this.#port, '127.0.0.1')
      near.pipe(far).pipe(near)
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      }
    }).listen(0, '127.0.0.1')
  }

  async urlOf(url: string): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening')
    const through = new URL(url)
    through.port = String((this.#server.address() as AddressInfo).port)
    return through.href
  }
  #cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
  over(url: string): void {
    this.#port = Number(new URL(url).port)
    this.#cut()
  }
  close(): void {
    this.#cut()
    this.#server.close()
  }
}

// Ids of transactions are those of one cluster, and the embedded database is restored with its cluster.
describe.skipIf(!binaries)('events that were written by a cluster which has counted further', () => {
  let folder: string
  let older: Awaited<ReturnType<typeof startPrivateServer>>
  let oldUrl: string
  let line: Switch
  let younger: Awaited<ReturnType<typeof startPrivateServer>>
  let running: LiveServer
  let token: string
  let storedXid: number
  const servers: LiveServer[] = []
  const serve = async (databaseUrl: string) => {
    const server = await LiveServer.open(await openDatabase({ databaseUrl, dataDir: folder }))
    servers.push(server)
    return server
  }
  const archive = () => join(folder, 'fleet.tar.gz')
  /** A database of the younger cluster, restored from the backup. */
  const restored = async (name: string) => {
    await administer(younger.url, `create database ${name}`)
    const url = new URL(`/${name}`, younger.url).href
    await runDataCommand(['restore', archive()], { DATA_DIR: join(folder, name), DATABASE_URL: url })
    return url
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ess-younger-'))
    older = await startPrivateServer(binaries ?? '')
    await administer(older.url, 'create database fleet')
    oldUrl = new URL('/fleet', older.url).href
    const database = await openDatabase({ databaseUrl: oldUrl, dataDir: folder })
    await productTables.fill(database).finally(() => database.close())
    line = new Switch(oldUrl)
    running = await serve(await line.urlOf(oldUrl))
    token = (await running.signedIn({ email: 'admin@example.com', role: 'admin' })).token
    await spend(running.database, aheadBy)
    await sql`insert into "event" ("resource", "entityId", "version", "type")
      select 'ess', 'stale-' || "n", 1, 'updated' from generate_series(1, 3) as "n"`.execute(running.database.kysely)
    storedXid = await newestXid(running.database)
    await runDataCommand(['backup', archive()], { DATA_DIR: join(folder, 'old'), DATABASE_URL: oldUrl })
    younger = await startPrivateServer(binaries ?? '')
  })
  afterAll(async () => {
    for (const server of servers) {
      server.closeStreams()
      await server.close()
    }
    line?.close()
    await younger?.stop()
    await older?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are not waited for by a server that starts on the restored database', async () => {
    const { database } = await serve(await restored('started'))
    expect(await nextXid(database)).toBeLessThan(storedXid)
    const next = async () => readEvents(database.kysely, await latestPosition(database.kysely), 10)
    await expect.poll(next).toEqual({ events: [], held: false })
  })

  it('hide nothing from the streams of a server that goes on with the restored database', async () => {
    const reader = await (await running.stream(token)).ready()
    const before = await running.makeEss(token)
    await reader.until((each) => idsTold(each).includes(before))
    line.over(await restored('fleet'))
    await reader.until(({ events }) => events.some(({ signal }) => signal === 'reset'))
    const after = await running.makeEss(token)
    await reader.until((each) => idsTold(each).includes(after))
    expect(await nextXid(running.database)).toBeLessThan(storedXid)
    expect(idsTold(reader)).toEqual([before, after])
  })

  it('are told to nobody, also when the cluster has counted up to them', async () => {
    const server = await serve(await restored('counted'))
    const reader = await (await server.stream(token)).ready()
    const first = await server.makeEss(token)
    await reader.until((each) => idsTold(each).includes(first))
    await spend(server.database, storedXid - (await nextXid(server.database)) + 10)
    expect(await nextXid(server.database)).toBeGreaterThan(storedXid)
    const second = await server.makeEss(token)
    await reader.until((each) => idsTold(each).includes(second))
    expect(idsTold(reader)).toEqual([first, second])
  })
})
