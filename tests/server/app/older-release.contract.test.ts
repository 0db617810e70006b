import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { buildApp } from '#server/app/app.ts'
import { migrations } from '#server/app/migrations.ts'
import { parts } from '#server/app/parts.ts'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { rowsOf } from '#server/db/query.ts'
import { engines } from '#tests/support/databases.ts'

/**
 * The whole database of a server of 260 commits before this test, with 24 migrations: its demo fleet of five systems after a minute of
 * life, dumped by pg_dump. Commands of psql and settings of the session are left out: the embedded engine has one session for all.
 */
const fixture = 'tests/fixtures/older-release.sql.gz'
const steps = 24

async function statements(): Promise<string> {
  const text = gunzipSync(await readFile(fixture)).toString('utf8')
  return text.replace(/^(?:\\|SET |SELECT pg_catalog\.set_config).*$/gm, '')
}

async function countsOf({ kysely }: Database): Promise<Record<string, number>> {
  const names = await rowsOf(
    kysely,
    sql<{ name: string }>`select tablename as "name" from pg_tables where schemaname = 'public'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of names) {
    const [row] = await rowsOf(kysely, sql<{ rows: number }>`select count(*) as "rows" from ${sql.table(name)}`)
    counts[name] = row?.rows ?? 0
  }
  return counts
}

describe.each(engines)('data of an older release on $name', (engine) => {
  let database: Database
  let app: Api
  let folder: string
  let before: Record<string, number>
  let done: string[]

  beforeAll(async () => {
    database = await engine.open()
    folder = await mkdtemp(join(tmpdir(), 'ess-older-'))
    await database.pool.query(await statements())
    before = await countsOf(database)
    done = await migrate(database, migrations)
    const config = readConfig({
      DATA_DIR: folder,
      DEMO: '1',
      DEMO_SIZE: '5',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MIN: '100000',
    })
    app = await buildApp({ config, database, definitions: definitionsOf(resources), logger: false, parts })
  })
  afterAll(async () => {
    await app?.close()
    await database.close()
    await rm(folder, { recursive: true })
  })

  it('gets the steps that came since, and keeps every row that it had', async () => {
    expect(before.migration).toBe(steps)
    expect(done).toEqual(migrations.slice(steps).map(({ id }) => id))
    const after = await countsOf(database)
    for (const table of [
      'user',
      'ess',
      'control_pcb',
      'firmware',
      'credential',
      'configuration',
      'package',
      'telemetry_warning',
      'auditLog',
    ])
      expect([table, before[table]], 'the fixture has rows of each').not.toEqual([table, 0])
    const lost = Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0))
    expect(lost).toEqual([])
  })

  it('is read and changed by the people whom it knows', async () => {
    const login = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'admin@example.com', password: 'demo-password' },
    })
    expect(login.statusCode).toBe(200)
    const headers = { authorization: `Bearer ${login.json().accessToken}` }
    for (const name of ['ess', 'control-pcb', 'user', 'firmware', 'package', 'invitation', 'audit-log']) {
      const list = await app.inject({ url: `/api/${name}?_start=0&_end=25`, headers })
      expect([name, list.statusCode]).toEqual([name, 200])
    }
    const [system] = (await app.inject({ url: '/api/ess?_start=0&_end=1', headers })).json()
    const { version } = (await app.inject({ url: `/api/ess/${system.id}`, headers })).json()
    const payload = { version, name: 'Another name' }
    const changed = await app.inject({ method: 'PUT', url: `/api/ess/${system.id}`, headers, payload })
    expect(changed.json()).toMatchObject({ name: 'Another name', version: version + 1 })
    const [file] = await rowsOf(database.kysely, sql<{ id: string }>`select "id" from "firmware" limit 1`)
    expect((await app.inject({ url: `/api/firmware/${file?.id}/file`, headers })).statusCode).toBe(200)
  })

  it('is refused by a release that is older than it, in a plain sentence, and stays as it is', async () => {
    const older = migrations.slice(0, -1)
    const newest = migrations.at(-1)?.id
    await expect(migrate(database, older)).rejects.toThrow(
      `This database belongs to a newer release (${newest}). Nothing was changed`,
    )
    expect((await countsOf(database)).migration).toBe(migrations.length)
  })
})
