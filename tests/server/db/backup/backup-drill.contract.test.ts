import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { buildApp } from '#server/app/app.ts'
import { runDataCommand } from '#server/app/data-commands.ts'
import { parts } from '#server/app/parts.ts'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { offerCopies } from '#server/db/backup/backup-socket.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { embeddedFolder, engines, type TestEngine } from '#tests/support/databases.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres.ts'
import { productTables } from '#tests/support/templates.ts'

const quiet = { info: () => {}, warn: () => {} }

/** The product's data in a place that commands can name by its settings. */
class Place {
  readonly dataDir: string
  readonly postgres: TestDatabase | undefined

  private constructor(dataDir: string, postgres: TestDatabase | undefined) {
    this.dataDir = dataDir
    this.postgres = postgres
  }

  static async filled({ name }: TestEngine): Promise<Place> {
    if (name === 'PGlite') return new Place(await embeddedFolder(productTables), undefined)
    const fill = async (databaseUrl: string) => {
      const database = await openDatabase({ databaseUrl, dataDir: tmpdir() })
      await productTables.fill(database).finally(() => database.close())
    }
    return new Place(await mkdtemp(join(tmpdir(), 'ess-place-')), await createTestDatabase({ name: productTables.name, fill }))
  }
  static async empty({ name }: TestEngine): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), 'ess-place-'))
    return new Place(folder, name === 'PGlite' ? undefined : await createTestDatabase())
  }

  get env(): Record<string, string> {
    return { DATA_DIR: this.dataDir, ...(this.postgres ? { DATABASE_URL: this.postgres.url } : {}) }
  }
  open(): Promise<Database> {
    return openDatabase({ dataDir: this.dataDir, databaseUrl: this.postgres?.url })
  }
  run(name: 'backup' | 'restore', file: string): Promise<string> {
    return runDataCommand([name, file], this.env)
  }
  async remove(): Promise<void> {
    await this.postgres?.drop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

/** Hash of all rows of every table, whatever it is called. */
async function tablesOf({ kysely }: Database): Promise<Record<string, string>> {
  const names = await rowsOf(
    kysely,
    sql<{ name: string }>`select tablename as "name" from pg_tables where schemaname = 'public'`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of names) {
    const [row] = await rowsOf(
      kysely,
      sql<{
        rows: number
        hash: string
      }>`select count(*) as "rows", md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as "hash"
        from ${sql.table(name)} t`,
    )
    hashes[name] = `${row?.rows} ${row?.hash}`
  }
  return hashes
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hashes = files.map(async (file) => [
    file.slice(folder.length),
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ])
  return Object.fromEntries(await Promise.all(hashes))
}

describe.each(engines)('a backup of $name', (engine) => {
  let place: Place
  let database: Database
  let app: Api
  let endCopies = async () => {}
  let folder: string
  let file: string
  const made: Place[] = []
  const emptyPlace = async () => {
    const target = await Place.empty(engine)
    made.push(target)
    return target
  }

  beforeAll(async () => {
    place = await Place.filled(engine)
    folder = await mkdtemp(join(tmpdir(), 'ess-backups-'))
    file = join(folder, 'fleet.tar.gz')
    database = await place.open()
    const config = readConfig({ ...place.env, DEMO: '1', DEMO_SIZE: '5', LOG_LEVEL: 'silent' })
    app = await buildApp({ config, database, definitions: definitionsOf(resources), logger: false, parts })
    await mkdir(join(place.dataDir, 'outbox/old'), { recursive: true })
    await writeFile(join(place.dataDir, 'outbox/letter.json'), '{"to":"client@example.com"}')
    await writeFile(join(place.dataDir, 'outbox/old/empty.json'), '')
    await sql`insert into "storedFile" ("id", "owner", "field", "name", "type", "sizeBytes", "sha256", "content", "uploadedBy", "uploadedAt")
      values ('photo', 'ess', 'photo', 'photo.png', 'image/png', 300000, '', ${randomBytes(300_000)}, 'admin', now())`.execute(
      database.kysely,
    )
    if (database.kind === 'embedded') endCopies = await offerCopies(database, place.dataDir, quiet)
  })
  afterAll(async () => {
    await endCopies()
    await app.close()
    await database.close()
    await Promise.all([place, ...made].map((one) => one.remove()))
    await rm(folder, { recursive: true })
  })

  it('holds every table and every file, and a restore brings all of them back', async () => {
    const said = await place.run('backup', file)
    expect(said).toMatch(/^Backup of \d+ tables, \d+ rows in /)
    const target = await emptyPlace()
    expect(await target.run('restore', file)).toMatch(/^Restored and verified the backup of 20\d\d-/)
    const restored = await target.open()
    const [before, after] = [await tablesOf(database), await tablesOf(restored)]
    await restored.close()
    expect(Object.keys(before).length).toBeGreaterThan(40)
    expect(before.storedFile).toMatch(/^1 /)
    expect(after).toEqual(before)
    expect(await filesOf(join(target.dataDir, 'outbox'))).toEqual(await filesOf(join(place.dataDir, 'outbox')))
    const again = await target.run('backup', join(folder, 'at-rest.tar.gz'))
    expect(again.split(' in ')[0]).toBe(said.split(' in ')[0])
    await rm(join(folder, 'at-rest.tar.gz'))
    // Nothing of the work is left behind, here or there.
    expect((await readdir(folder)).sort()).toEqual(['fleet.tar.gz'])
    await expect.poll(() => readdir(join(place.dataDir, 'backup-copies')).catch(() => [])).toEqual([])
    expect((await readdir(target.dataDir)).sort()).toEqual(engine.name === 'PGlite' ? ['database', 'outbox'] : ['outbox'])
  })

  it('is of one moment while others write, and keeps none of them from it', async () => {
    await sql`create table "ledger" ("id" int4 primary key, "amount" int4 not null)`.execute(database.kysely)
    await sql`insert into "ledger" values (1, 0), (2, 0)`.execute(database.kysely)
    // Rows that come meanwhile would differ from those that the manifest counts.
    await sql`create table "ledgerLine" ("id" int4 primary key)`.execute(database.kysely)
    let isWriting = true
    let written = 0
    const write = async () => {
      while (isWriting) {
        await database.kysely.transaction().execute(async (trx) => {
          await sql`update "ledger" set "amount" = "amount" - 1 where "id" = 1`.execute(trx)
          await sql`update "ledger" set "amount" = "amount" + 1 where "id" = 2`.execute(trx)
          await sql`insert into "ledgerLine" values (${written})`.execute(trx)
        })
        written += 1
        await sleep(1)
      }
    }
    const writing = write()
    while (written < 5) await sleep(5)
    const atLeast = written
    const busy = join(folder, 'busy.tar.gz')
    await place.run('backup', busy)
    const after = written
    await expect.poll(() => written).toBeGreaterThan(after)
    isWriting = false
    await writing
    const target = await emptyPlace()
    await target.run('restore', busy)
    const restored = await target.open()
    const rows = await rowsOf(restored.kysely, sql<{ amount: number }>`select "amount" from "ledger" order by "id"`)
    await restored.close()
    const [less = Number.NaN, more = Number.NaN] = rows.map(({ amount }) => amount)
    expect(less + more).toBe(0)
    expect(more).toBeGreaterThanOrEqual(atLeast)
    await sql`drop table "ledger", "ledgerLine"`.execute(database.kysely)
  })

  const withByte = async (at: (bytes: number) => number) => {
    const copy = join(folder, 'damaged.tar.gz')
    await cp(file, copy)
    const handle = await open(copy, 'r+')
    const position = at((await handle.stat()).size)
    const byte = Buffer.alloc(1)
    await handle.read(byte, 0, 1, position)
    await handle.write(Buffer.from([(byte[0] ?? 0) ^ 0x10]), 0, 1, position)
    await handle.close()
    return copy
  }
  it.each([
    ['with a changed byte in the middle', () => withByte((bytes) => Math.floor(bytes / 2))],
    ['with a changed byte near its end', () => withByte((bytes) => bytes - 6)],
    [
      'that is cut off',
      async () => {
        const copy = join(folder, 'cut.tar.gz')
        await cp(file, copy)
        await truncate(copy, 100_000)
        return copy
      },
    ],
    [
      'that is none',
      async () => {
        const other = join(folder, 'notes.txt')
        await writeFile(other, 'no backup at all')
        return other
      },
    ],
  ])('%s is refused in a plain sentence, and the target stays empty', async (_, make) => {
    const target = await emptyPlace()
    const refused = target.run('restore', await make())
    await expect(refused).rejects.toThrow(/is damaged \(.+\)\. Nothing was restored: take another backup\.$/)
    expect(await readdir(target.dataDir)).toEqual([])
    if (!target.postgres) return
    const untouched = await target.open()
    expect(Object.keys(await tablesOf(untouched))).toEqual([])
    await untouched.close()
  })

  it('overwrites nothing: neither a file nor data', async () => {
    await expect(place.run('backup', file)).rejects.toThrow('is there already')
    await expect(place.run('restore', file)).rejects.toThrow('is not empty, and a restore overwrites nothing')
    const target = await emptyPlace()
    await writeFile(join(target.dataDir, 'notes.txt'), 'mine')
    await expect(target.run('restore', file)).rejects.toThrow('is not empty')
    expect(await readFile(join(target.dataDir, 'notes.txt'), 'utf8')).toBe('mine')
  })

  it('names a file that is missing, and a wrong use', async () => {
    const target = await emptyPlace()
    await expect(target.run('restore', join(folder, 'none'))).rejects.toThrow(`There is no file ${join(folder, 'none')}.`)
    const commands = '`backup FILE`, `restore FILE`, `move` and `plan`'
    await expect(runDataCommand(['backup'], place.env)).rejects.toThrow(commands)
    await expect(runDataCommand(['back-up', file], place.env)).rejects.toThrow(commands)
    expect(existsSync(join(target.dataDir, 'restoring'))).toBe(false)
  })
})
