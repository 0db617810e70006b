import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { makeTables, runMove } from '#server/app/move-command.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { moveDatabase } from '#server/db/move/move.ts'
import { rowsOf } from '#server/db/query.ts'
import { ensurePartitions } from '#server/fleet/telemetry/monthly-partitions.ts'
import { embeddedFolder } from '#tests/support/databases.ts'
import { killChild } from '#tests/support/kill-child.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres.ts'
import { serverProgram } from '#tests/support/server-process.ts'
import { productTables } from '#tests/support/templates.ts'

const awkward = `tab\t, line\r\nline, \\N, \\x00, {"a",NULL}, "quoted", 'single', Ж, 😀`
const lastStep = migrations.at(-1)?.id

let dataDir: string
const places: TestDatabase[] = []
const emptyPlace = async () => {
  const place = await createTestDatabase()
  places.push(place)
  return place
}

async function at<T>(where: { databaseUrl?: string }, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir, hasPipeline: false, ...where })
  return work(database).finally(() => database.close())
}
const inSource = <T>(work: (database: Database) => Promise<T>) => at({}, work)

/** Rows of every kind of column, in tables of definitions, of migrations and of months. */
async function fill(database: Database): Promise<void> {
  const run = (text: string, ...values: unknown[]) => database.pool.query(text, values)
  await ensurePartitions(database, new Date('2026-01-15T00:00:00Z'), new Date('2026-03-15T00:00:00Z'))
  await run(`insert into "telemetry" ("controlPcbId", "ts", "receivedAt", "socPct", "cycleCount", "quality")
    select gen_random_uuid(), '2026-01-20'::timestamptz + n * interval '1 hour', now(), n / 7.0, n / 3.0::float8, 1
    from generate_series(1, 1200) as n`)
  await run(`insert into "ess" ("id", "code", "name", "location") values ('e1', 'E1', $1, $2)`, awkward, { note: awkward })
  await run(`insert into "ess" ("id", "code") values ('e2', 'E2')`)
  await run(`insert into "storedFile" ("id", "owner", "field", "name", "type", "sizeBytes", "sha256", "content", "uploadedBy", "uploadedAt")
    values ('f', 'ess', 'photo', 'photo.png', 'image/png', 5000000, '', decode(repeat('00ff5c0a', 1250000), 'hex'), 'admin', now())`)
  await run(`insert into "auditLog" ("id", "action", "entityType", "after") values ('a', 'create', 'ess', $1)`, {
    name: awkward,
  })
  await run(`insert into "session" ("id", "userId", "absoluteExpiresAt") values ('s', 'u', 'infinity')`)
  await run(`insert into "sessionToken" ("hash", "sessionId", "expiresAt") values ('h', 's', now())`)
  await run(
    `insert into "event" ("resource", "entityId", "version", "type") values ('ess', 'e1', 1, 'created'), ('ess', 'e2', 1, 'created')`,
  )
  await run(`select nextval('"caseNumber"')`)
  await run(`alter table "ess" add column "kept" text[]`)
  await run(`update "ess" set "kept" = array[$1, null, '']`, awkward)
}

/** Hash of all rows by table; ids of transactions are those of one cluster. */
async function tablesOf({ kysely }: Database): Promise<Record<string, string>> {
  const names = await rowsOf(
    kysely,
    sql<{ name: string }>`select "relname" as "name" from pg_class
      where "relkind" = 'r' and "relnamespace" = 'public'::regnamespace order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of names) {
    const [row] = await rowsOf(
      kysely,
      sql<{ hash: string }>`select count(*) || ' ' || md5(coalesce(string_agg("r", chr(10) order by "r"), '')) as "hash"
        from (select (to_jsonb(t) - 'xid')::text as "r" from ${sql.table(name)} t) as "rows"`,
    )
    hashes[name] = row?.hash ?? ''
  }
  return hashes
}

beforeAll(async () => {
  dataDir = await embeddedFolder(productTables)
  await inSource(fill)
}, 60_000)
afterAll(async () => {
  await Promise.all(places.map((place) => place.drop()))
  await rm(dataDir, { recursive: true })
})

const move = async ({ url }: TestDatabase, folder = dataDir) => {
  const lines: string[] = []
  await runMove([], { DATA_DIR: folder, DATABASE_URL: url }, (line) => lines.push(line))
  return lines.join('\n')
}

it('a move brings every value of every table, months and dropped fields among them, and sequences go on', async () => {
  const place = await emptyPlace()
  expect(await move(place)).toMatch(/^ *telemetry_2026_01 +\d+ rows$/m)
  const before = await inSource(tablesOf)
  await at({ databaseUrl: place.url }, async (database) => {
    const after = await tablesOf(database)
    expect(after).toEqual(before)
    expect(Object.keys(after).length).toBeGreaterThan(80)
    const added = await rowsOf(
      database.kysely,
      sql<{
        id: number
      }>`insert into "event" ("resource", "entityId", "version", "type") values ('ess', 'e1', 2, 'updated') returning "id"`,
    )
    expect(added).toEqual([{ id: 3 }])
    expect(await rowsOf(database.kysely, sql`select nextval('"caseNumber"')::int4 as "number"`)).toEqual([{ number: 2 }])
    // Readers of events wait for older transactions: those of the folder have larger ids, and would be waited for.
    const ahead = await rowsOf(
      database.kysely,
      sql`select 1 from "event" where "xid" >= pg_snapshot_xmax(pg_current_snapshot())`,
    )
    expect(ahead).toEqual([])
    expect(await migrate(database, migrations)).toEqual([])
  })
})

it('a move writes into no database that has tables, and from no folder of another release', async () => {
  const full = await emptyPlace()
  await at({ databaseUrl: full.url }, ({ pool }) => pool.query('create table "mine" ("id" int4)'))
  await expect(move(full)).rejects.toThrow('has tables, and a move overwrites nothing: create an empty one')

  const place = await emptyPlace()
  const changes = [
    [
      `delete from "migration" where "id" = '${lastStep}'`,
      `insert into "migration" ("id") values ('${lastStep}')`,
      'The data belongs to an older release. Start this release there once without DATABASE_URL, stop it, and move then.',
    ],
    [
      `insert into "migration" ("id") values ('9999-later')`,
      `delete from "migration" where "id" = '9999-later'`,
      'The data belongs to a newer release (9999-later): move it with that one.',
    ],
    [
      'alter table "ess" rename column "name" to "title"',
      'alter table "ess" rename column "title" to "name"',
      'The data does not follow the definitions of this release (ess.name). Start this release there once without DATABASE_URL, stop it, and move then.',
    ],
    [
      'create table "visit" as select 1 as "id"',
      'drop table "visit"',
      'No definition has the table visit, which has rows: ask `npm run plan` what they are.',
    ],
  ] as const
  await at({ databaseUrl: place.url }, (target) =>
    inSource(async (source) => {
      for (const [change, undo, message] of changes) {
        await source.pool.query(change)
        const refused = moveDatabase({ source, target, steps: migrations, makeTables, tell: () => undefined })
        await expect(refused).rejects.toThrow(message)
        await source.pool.query(undo)
      }
    }),
  )
  expect(await move(place)).toContain('Moved and verified')
})

it('a move says which place it lacks', async () => {
  const run = (options: string[], env: NodeJS.ProcessEnv) => runMove(options, env, () => undefined)
  await expect(run([], { DATA_DIR: dataDir })).rejects.toThrow('Set DATABASE_URL to an empty PostgreSQL database')
  const nowhere = join(dataDir, 'none')
  const databaseUrl = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  await expect(run([], { ...databaseUrl, DATA_DIR: nowhere })).rejects.toThrow(`There is no embedded database in ${nowhere}: `)
  await expect(run([], { ...databaseUrl, DATA_DIR: dataDir })).rejects.toThrow(
    'The database 127.0.0.1:1/none can not be reached',
  )
  await expect(run(['FILE'], { DATA_DIR: dataDir })).rejects.toThrow('`npm run move` has no options')
})

it('a move finds rows that did not arrive, and leaves nothing then', async () => {
  const place = await emptyPlace()
  const losing = async (database: Database) => {
    await makeTables(database)
    await database.pool.query(`create function "lose"() returns trigger language plpgsql as 'begin return null; end'`)
    await database.pool.query('create trigger "lose" before insert on "ess" for each row execute function "lose"()')
  }
  await at({ databaseUrl: place.url }, async (target) => {
    const refused = inSource((source) =>
      moveDatabase({ source, target, steps: migrations, makeTables: losing, tell: () => undefined }),
    )
    await expect(refused).rejects.toThrow('The rows of ess are not the same on both sides. Nothing was moved.')
    expect(await rowsOf(target.kysely, sql`select 1 from "storedFile"`)).toEqual([])
  })
})

async function untilWaiting(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select 1 from pg_locks where not granted and relation = '"sessionToken"'::regclass`)
    if (rows.length > 0) return
    await client.query('select pg_sleep(0.02)')
  }
}

it('a move that is killed before its last table leaves a target that no server takes, and that the next move fills', async () => {
  const place = await emptyPlace()
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  await client.query('begin')
  const holding = client.query(`do $$ begin loop begin lock table "sessionToken"; exit;
    exception when undefined_table then perform pg_sleep(0.005); end; end loop; end $$`)
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: place.url }
  const moving: ChildProcess = spawn(process.execPath, [...serverProgram, 'move'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([holding, once(moving, 'exit')])
  await untilWaiting(client)
  await killChild(moving)
  await client.query('rollback')
  await client.end()
  await at({ databaseUrl: place.url }, async (database) => {
    await expect(migrate(database, migrations)).rejects.toThrow('has not come to its end: run `npm run move` again')
    expect(await rowsOf(database.kysely, sql`select 1 from "ess"`)).toEqual([])
  })
  expect(await move(place)).toContain('Moved and verified')
  const before = await inSource(tablesOf)
  expect(await at({ databaseUrl: place.url }, tablesOf)).toEqual(before)
})
