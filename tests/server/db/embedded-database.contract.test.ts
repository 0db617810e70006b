import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { writableShareOf } from '#server/engine/http/disk-space.ts'
import { embedded, embeddedFolder } from '#tests/support/databases.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const folderOf = async (folder: string | Promise<string>) => {
  made.push(await folder)
  return folder
}

/** A server of its own that writes rows one by one and says which are committed. */
const writer = `
import { openDatabase } from '#server/db/connect.ts'
const database = await openDatabase({ dataDir: process.env.DATA_DIR })
await database.pool.query('create table if not exists "row" ("n" int)')
for (let n = 1; ; n += 1) {
  await database.pool.query('insert into "row" values ($1)', [n])
  console.log(n)
}`

describe('the embedded database', () => {
  it('loses no committed row when its process is killed, and takes the folder over from the dead', async () => {
    const dataDir = await folderOf(embeddedFolder())
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', writer], {
      env: { ...process.env, DATA_DIR: dataDir },
    })
    let said = ''
    child.stdout.on('data', (data) => {
      said += data
      if (said.split('\n').length > 100) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const committed = said.split('\n').filter(Boolean).length
    const database = await openDatabase({ dataDir })
    const { rows } = await database.pool.query('select count(*) as "count" from "row"')
    await database.close()
    expect(committed).toBeGreaterThan(50)
    expect(rows[0].count).toBeGreaterThanOrEqual(committed)
  })

  it('is refused to a second process, which is told whose it is', async () => {
    const dataDir = await folderOf(embeddedFolder())
    const database = await openDatabase({ dataDir })
    await expect(openDatabase({ dataDir })).rejects.toThrow(`in use by process ${process.pid}`)
    await database.close()
    await (await openDatabase({ dataDir })).close()
  })

  it('is closed to other accounts of the machine, also where an older server left it open', async () => {
    const dataDir = await folderOf(embeddedFolder())
    const folder = join(dataDir, 'database')
    await (await openDatabase({ dataDir })).close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    chmodSync(folder, 0o755)
    await (await openDatabase({ dataDir })).close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.getuid?.() === 0)(
    'is opened by the account alone that it belongs to, so that root leaves no files in it',
    async () => {
      const dataDir = await folderOf(embeddedFolder())
      const folder = join(dataDir, 'database')
      chownSync(folder, 65_534, 65_534)
      const before = readdirSync(folder)
      await expect(openDatabase({ dataDir })).rejects.toThrow(
        `${folder} belongs to the account 65534: run this by that account`,
      )
      expect(readdirSync(folder)).toEqual(before)
      chownSync(folder, 0, 0)
      await (await openDatabase({ dataDir })).close()
    },
  )

  it.runIf(process.getuid?.() === 0)('names a file of another account in its way', async () => {
    const dataDir = await folderOf(embeddedFolder())
    await promisify(execFile)('chown', ['-R', '65534:65534', dataDir])
    const file = join(dataDir, 'database/pg_logical/replorigin_checkpoint')
    chownSync(file, 0, 0)
    chmodSync(file, 0o600)
    const child = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', writer], {
      env: { ...process.env, DATA_DIR: dataDir },
      uid: 65_534,
      encoding: 'utf8',
    })
    expect(child.stderr).toContain(`${file} can not be read and written by this account: give the folder back to it`)
  })

  it('says how long a first start took that is given up, and leaves nothing in the way of the next one', async () => {
    const dataDir = await folderOf(mkdtempSync(join(tmpdir(), 'ess-slow-')))
    await expect(openDatabase({ dataDir, startWithinMs: 400 })).rejects.toThrow(
      /^The embedded database did not start within 0.4 s; the disk has [\d,.]+ .?B free/,
    )
    expect(readdirSync(dataDir)).toEqual([])
    const database = await openDatabase({ dataDir })
    expect((await database.pool.query('select 1 as "one"')).rows).toEqual([{ one: 1 }])
    await database.close()
    await expect(openDatabase({ dataDir, startWithinMs: 1 })).rejects.toThrow('did not start within')
    await (await openDatabase({ dataDir })).close()
  })

  it('leaves a folder alone that is not a complete database', async () => {
    const dataDir = await folderOf(mkdtempSync(join(tmpdir(), 'ess-half-')))
    await mkdir(join(dataDir, 'database'))
    writeFileSync(join(dataDir, 'database', 'precious.txt'), 'mine')
    await expect(openDatabase({ dataDir })).rejects.toThrow('PG_VERSION')
    expect(readdirSync(join(dataDir, 'database'))).toEqual(['precious.txt'])
    expect(readdirSync(dataDir)).toEqual(['database'])
  })
})

/** A disk of its own, which takes the rights of root; undefined where they are not given. */
function smallDisk(sizeMb: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'ess-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder])
  if (status === 0) return folder
  rmSync(folder, { recursive: true })
  return undefined
}
const disk = smallDisk(110)
const walSegmentBytes = 16 * 1_048_576
afterAll(() => {
  if (disk) spawnSync('umount', [disk])
})

describe.skipIf(!disk)('the embedded database on a full disk', () => {
  it('refuses what has no room, and serves again as soon as there is some', async () => {
    const place = disk ?? ''
    const database = await openDatabase({ dataDir: join(place, 'data'), statementTimeoutMs: 120_000 })
    const { pool } = database
    await pool.query(
      `create table "row" ("n" int, "text" text); insert into "row" select n, md5(n::text) from generate_series(1, 20000) n`,
    )
    const { bavail, bsize } = await statfs(place)
    // Less than one segment of the write-ahead log is left on the disk, and next to nothing in the one in use.
    writeFileSync(join(place, 'filling'), Buffer.alloc(bavail * bsize - 9 * 1_048_576))
    expect(await writableShareOf(place), 'files and frames are refused first').toBe(0)
    for (let left = walSegmentBytes; left > 60_000; ) {
      const { rows } = await pool.query(`select (pg_current_wal_insert_lsn() - '0/0')::bigint % ${walSegmentBytes} as "used"`)
      left = walSegmentBytes - Number(rows[0].used)
      const bytes = Math.min(400_000, Math.max(100, left - 45_000))
      await pool.query(`select pg_logical_emit_message(true, 'filling', repeat('x', $1))::text`, [bytes])
    }
    const change = async () => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query(`update "row" set "text" = "text" || 'x' where "text" like $1`, ['a%'])
        await client.query('commit')
      } finally {
        client.release()
      }
    }
    const heard: string[] = []
    await database.listen('news', { message: (payload) => heard.push(payload), reconnected: () => heard.push('again') })
    await expect(change()).rejects.toMatchObject({ code: '53100' })
    await expect(change()).rejects.toMatchObject({ code: '53100' })
    rmSync(join(place, 'filling'))
    await expect
      .poll(() => pool.query('select "n" from "row" where "n" = $1', [1]).then(({ rows }) => rows, String), { timeout: 20_000 })
      .toEqual([{ n: 1 }])
    await change()
    await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['again'])
    await pool.query(`select pg_notify('news', 'one')`)
    await expect.poll(() => heard).toEqual(['again', 'one'])
    await database.close()
  }, 60_000)
})

describe('the one session of the embedded database', () => {
  let database: Database
  beforeAll(async () => {
    database = await embedded.open()
  })
  afterAll(() => database.close())

  it('refuses what would end the engine or leak between clients, and goes on', async () => {
    await expect(database.pool.query('copy pg_class from stdin')).rejects.toMatchObject({ code: '0A000' })
    await expect(database.pool.query({ name: 'own-name', text: 'select 1' })).rejects.toMatchObject({ code: '0A000' })
    const { rows } = await database.pool.query('select $1::text as "note"', ['please copy it from stdin'])
    expect(rows).toEqual([{ note: 'please copy it from stdin' }])
  })

  it('refuses nothing else that is sent with it, and answers each statement for itself', async () => {
    const client = await database.pool.connect()
    const answers = await Promise.allSettled([
      client.query('select 1 as "n"'),
      client.query('copy pg_class from stdin'),
      client.query('select $1::int as "n"', [2]),
      client.query({ name: 'own-name', text: 'select 3 as "n"' }),
      client.query('select 4 as "n"'),
    ])
    client.release()
    const told = answers.map((one) => (one.status === 'fulfilled' ? one.value.rows[0].n : one.reason.code))
    expect(told).toEqual([1, '0A000', 2, '0A000', 4])
  })

  it('syncs each commit to disk', async () => {
    const { rows: settings } = await database.pool.query(
      `select name, setting from pg_settings where name in ('fsync', 'wal_sync_method', 'synchronous_commit')`,
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      wal_sync_method: 'fsync',
      synchronous_commit: 'on',
    })
    const synced = async () => {
      await database.pool.query('select pg_stat_force_next_flush()')
      return (await database.pool.query(`select sum(fsyncs) as "count" from pg_stat_io where object = 'wal'`)).rows[0].count
    }
    const before = await synced()
    await database.pool.query('create table "synced" ("n" int)')
    for (let n = 0; n < 10; n += 1) await database.pool.query('insert into "synced" values ($1)', [n])
    expect(await synced()).toBeGreaterThanOrEqual(before + 10)
  })

  it('keeps the transactions of many clients apart', async () => {
    await database.pool.query('create table "counter" ("n" int); insert into "counter" values (0)')
    const add = async () => {
      const client = await database.pool.connect()
      await client.query('begin')
      const { rows } = await client.query('select "n" from "counter"')
      await client.query('update "counter" set "n" = $1', [rows[0].n + 1])
      await client.query('commit')
      client.release()
    }
    await Promise.all(Array.from({ length: 30 }, add))
    const { rows } = await database.pool.query('select "n" from "counter"')
    expect(rows).toEqual([{ n: 30 }])
  })

  it('sends a value larger than a megabyte through unharmed', async () => {
    const long = 'ж'.repeat(2_000_000)
    const { rows } = await database.pool.query('select $1::text as "long"', [long])
    expect(rows[0].long === long).toBe(true)
  })
})
