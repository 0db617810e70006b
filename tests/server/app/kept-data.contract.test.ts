import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { unpackFolder } from '#tests/data-folders/archive.ts'
import { keptAdmin } from '#tests/data-folders/life.ts'
import { ReleaseProcess } from '#tests/data-folders/release-process.ts'
import { createTestDatabase, postgresUrl } from '#tests/support/postgres.ts'
import { serverProgram } from '#tests/support/server-process.ts'

const kept = join(import.meta.dirname, '../../fixtures/data-folders')

/** Tables of a moment: jobs take rows away while a server runs. Open hours and days go when they are rolled up, old events soon. */
const passing = ['event', 'lease', 'loginAttempt', 'sessionToken', 'telemetryOpenHour', 'telemetryOpenDay']

/** Tables that say how things are now: the boards of the folder are silent. */
const present = ['boardConnection', 'warningOpening']

/** Columns of another moment or place: a demo sets its passwords at its start, and a step has taken notices of engineers to their sites. */
const excepted: Record<string, readonly string[]> = {
  credential: ['passwordHash', 'changedAt'],
  user: ['notificationPrefs'],
  event: ['xid'],
}

type Counts = Record<string, number>
type Row = Record<string, unknown>
type Rows = Record<string, Row[]>

async function tablesOf({ kysely }: Database): Promise<string[]> {
  const tables = await rowsOf(
    kysely,
    sql<{ name: string }>`select "relname" as "name" from pg_class
      where "relkind" in ('r', 'p') and not "relispartition" and "relnamespace" = 'public'::regnamespace`,
  )
  return tables.map(({ name }) => name)
}

async function countsOf(database: Database): Promise<Counts> {
  const { kysely } = database
  const counts: Counts = {}
  for (const name of await tablesOf(database)) {
    const [row] = await rowsOf(kysely, sql<{ rows: number }>`select count(*)::int4 as "rows" from ${sql.table(name)}`)
    counts[name] = row?.rows ?? 0
  }
  return counts
}

async function allRowsOf(database: Database): Promise<Rows> {
  const rows: Rows = {}
  for (const name of await tablesOf(database)) {
    const found = await rowsOf(
      database.kysely,
      sql<{ row: Row }>`select to_jsonb("t") - ${excepted[name] ?? []}::text[] as "row" from ${sql.table(name)} "t"`,
    )
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

/** Rows that are not there any more with the values that they had, in the columns of both moments. */
function changedRows(before: Rows, after: Rows): [table: string, row: Row][] {
  return Object.entries(before).flatMap(([name, rows]) => {
    const [then = {}] = rows
    const [now = {}] = after[name] ?? []
    const both = Object.keys(then).filter((column) => column in now)
    const valuesOf = (row: Row) => JSON.stringify(both.map((column) => row[column]))
    const kept = new Set(after[name]?.map(valuesOf))
    return rows.filter((row) => !kept.has(valuesOf(row))).map((row): [string, Row] => [name, row])
  })
}

/** Hours of boards with samples that are still to be rolled up, or that are. */
async function hoursOf({ kysely }: Database): Promise<string[]> {
  const rows = await rowsOf(
    kysely,
    sql<{ hour: string }>`select "controlPcbId" || ' ' || "hour" as "hour" from "telemetryOpenHour" "h"
        where exists (select 1 from "telemetry" "t" where "t"."controlPcbId" = "h"."controlPcbId"
          and "t"."ts" >= "h"."hour" and "t"."ts" < "h"."hour" + interval '1 hour')
      union select "controlPcbId" || ' ' || "ts" from "telemetry1h"`,
  )
  return rows.map(({ hour }) => hour)
}

/** Reads a folder while no server runs on it. */
async function readIn<T>(dataDir: string, read: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir })
  try {
    return await read(database)
  } finally {
    await database.close()
  }
}
const countsIn = (dataDir: string) => readIn(dataDir, countsOf)

const archives = await readdir(kept)

describe.each(archives.map((file) => [file.replace('.tar.br', ''), file]))('the data folder of %s', (_name, file) => {
  let folder: string
  let dataDir: string
  let before: Counts
  let rows: Rows
  let hours: string[]
  let server: ReleaseProcess | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ess-kept-'))
    dataDir = join(folder, 'data')
    unpackFolder(join(kept, file), dataDir)
    const found = await readIn(dataDir, async (database) => ({
      counts: await countsOf(database),
      hours: await hoursOf(database),
      rows: await allRowsOf(database),
    }))
    before = found.counts
    rows = found.rows
    hours = found.hours
    // Silent boards: what is counted afterwards are the rows of then.
    server = await ReleaseProcess.start(
      '.',
      { DATA_DIR: dataDir, DEMO: '1', DEMO_LIVE: '0', RATE_LIMIT_PER_MIN: '100000' },
      serverProgram,
    )
  }, 240_000)
  afterAll(async () => {
    await server?.end()
    await rm(folder, { recursive: true, force: true })
  })

  const asked = async <T>(path: string, token?: string, sent: { method?: string; body?: object } = {}): Promise<T> => {
    if (!server) throw new Error('no server runs')
    const { status, text } = await server.call(path, { ...(token && { token }), ...sent })
    expect([path, status, status < 300 || text]).toEqual([path, expect.toSatisfy((one) => one < 300), true])
    return JSON.parse(text)
  }
  const signedIn = async () =>
    (await asked<{ accessToken: string }>('auth/login', undefined, { method: 'POST', body: keptAdmin })).accessToken

  it('has rows of each kind, so that each of them is tried', () => {
    for (const table of [
      'user',
      'credential',
      'session',
      'auditLog',
      'ess',
      'control_pcb',
      'configuration',
      'firmware',
      'firmwareFile',
      'package',
      'telemetry',
      'telemetry_warning',
      'invitation',
      'link',
      'device',
      'importJob',
      'importJobRow',
      'rollout',
      'event',
      'idempotency',
    ])
      expect([table, before[table]]).not.toEqual([table, 0])
  })

  it('is read and changed by the people whom it knows', async () => {
    const token = await signedIn()
    for (const name of [
      'ess',
      'control-pcb',
      'user',
      'firmware',
      'rollout',
      'package',
      'telemetry-warning',
      'invitation',
      'import-job',
      'audit-log',
    ])
      expect([name, (await asked<unknown[]>(`${name}?_start=0&_end=25`, token)).length]).not.toEqual([name, 0])
    const [system] = await asked<{ id: string }[]>('ess?code=KEPT-00001', token)
    const { version } = await asked<{ version: number }>(`ess/${system?.id}`, token)
    const changed = await asked(`ess/${system?.id}`, token, { method: 'PUT', body: { version, name: 'Another name' } })
    expect(changed).toMatchObject({ name: 'Another name', version: version + 1 })
  })

  it('gets the steps that came since, and keeps every row that it had', async () => {
    await server?.end()
    server = undefined
    const after = await countsIn(dataDir)
    const lost = Object.keys(before).filter((table) => !passing.includes(table) && (after[table] ?? 0) < (before[table] ?? 0))
    expect(lost.map((table) => [table, before[table], after[table]])).toEqual([])
    expect(after.migration).toBe(migrations.length)
    const known = new Set(await readIn(dataDir, hoursOf))
    expect(hours.length).toBeGreaterThan(0)
    expect(hours.filter((hour) => !known.has(hour))).toEqual([])
  })

  it('has the values that it had in every row, but in those of its system that was changed and of who signed in', async () => {
    const changed = changedRows(rows, await readIn(dataDir, allRowsOf))
      .filter(([table]) => ![...passing, ...present].includes(table))
      .map(([table, { code, email }]) => `${table} ${code ?? email}`)
    expect(changed.toSorted()).toEqual(['ess KEPT-00001', `user ${keptAdmin.email}`])
  })

  it('is backed up, and the backup restored and verified', async () => {
    const run = (args: string[], folderOf: string) => ReleaseProcess.run('.', args, { DATA_DIR: folderOf }, serverProgram)
    const backup = join(folder, 'kept.tar.gz')
    expect(await run(['backup', backup], dataDir)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Backup of \d+ tables/),
    })
    const restored = await run(['restore', backup], join(folder, 'restored'))
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored and verified the backup/) })
    const copy = await countsIn(join(folder, 'restored'))
    expect(copy).toEqual(await countsIn(dataDir))
  })

  it.skipIf(!postgresUrl())(
    'is moved to PostgreSQL with every value, and served from there',
    async () => {
      const place = await createTestDatabase()
      const env = { DATA_DIR: dataDir, DATABASE_URL: place.url }
      expect(await ReleaseProcess.run('.', ['move'], env, serverProgram)).toMatchObject({
        code: 0,
        output: expect.stringContaining('Moved and verified'),
      })
      const moved = await openDatabase({ dataDir, databaseUrl: place.url })
      const [counts, found] = await Promise.all([countsOf(moved), allRowsOf(moved)]).finally(() => moved.close())
      expect(counts).toEqual(await countsIn(dataDir))
      expect(changedRows(await readIn(dataDir, allRowsOf), found)).toEqual([])
      server = await ReleaseProcess.start('.', { ...env, DEMO: '1', DEMO_LIVE: '0' }, serverProgram)
      const token = await signedIn()
      expect(await asked<Row[]>('ess?code=KEPT-00001', token)).toMatchObject([{ name: 'Another name' }])
      await server.end()
      server = undefined
      await place.drop()
    },
    120_000,
  )
})
