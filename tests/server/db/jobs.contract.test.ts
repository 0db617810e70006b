import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { type Job, JobLoop } from '#server/db/jobs/job-loop.ts'
import { Lease } from '#server/db/jobs/lease.ts'
import { migrate } from '#server/db/migrate.ts'
import { rowsOf } from '#server/db/query.ts'
import { engines, openMigrated } from '#tests/support/databases.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '#tests/support/postgres.ts'

const times = { leaseMs: 1_000, renewMs: 200, tickMs: 20 }

async function until(holds: () => Promise<boolean> | boolean, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (await holds()) return
    await sleep(20)
  }
  throw new Error(`it did not come true within ${ms} ms`)
}

const contextOf = (database: Database) => ({ database, clock: () => new Date(), log: { error: () => {}, warn: () => {} } })

describe.each(engines)('the loop of jobs on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openMigrated(engine)
  })
  afterAll(() => database.close())

  it('gives the lease to one, renews it, and to another when it was let go or has run out', async () => {
    const [one, other] = [new Lease(database, { name: 'x', lifeMs: 1_500 }), new Lease(database, { name: 'x', lifeMs: 1_500 })]
    expect([await one.take(), await other.take(), await one.take()]).toEqual([true, false, true])
    await one.release()
    expect([await other.take(), await one.take()]).toEqual([true, false])
    await sleep(1_800)
    expect([await one.take(), await other.take()]).toEqual([true, false])
  })

  it('takes a lease that ends in days: its holder died while the clock was ahead, and boards are judged from now on', async () => {
    const [dead, next] = [new Lease(database, { name: 'y', lifeMs: 1_500 }), new Lease(database, { name: 'y', lifeMs: 1_500 })]
    await dead.take()
    await database.pool.query(
      `update "lease" set "expiresAt" = now() + interval '2 days', "heldSince" = now() + interval '2 days' where "name" = 'y'`,
    )
    expect(await next.take()).toBe(true)
    // The column is rounded to milliseconds, up to a half of one ahead.
    const begun = `"heldSince" <= now() + interval '1 millisecond'`
    const { rows } = await database.pool.query(`select ${begun} as "begun" from "lease" where "name" = 'y'`)
    expect(rows).toEqual([{ begun: true }])
  })

  it('begins a job when it is due first, and tells a long one when the loop ends', async () => {
    const seen: string[] = []
    const long: Job = {
      name: 'long',
      everyMs: 10,
      run: ({ signal }) =>
        new Promise((resolve) => {
          seen.push('began')
          signal.addEventListener('abort', resolve)
        }),
    }
    const later: Job = { name: 'later', everyMs: 10, firstMs: 60_000, run: async () => seen.push('too soon') }
    const loop = new JobLoop(contextOf(database), [long, later], times)
    loop.start()
    await until(() => seen.length > 0)
    await loop.stop()
    expect(seen).toEqual(['began'])
  })

  it('runs every job in one loop only, none beside itself, and goes on after one that failed', async () => {
    const ran: string[] = []
    let atOnce = 0
    let mostAtOnce = 0
    const jobsOf = (loop: string): Job[] => [
      {
        name: 'slow',
        everyMs: 10,
        run: async () => {
          atOnce += 1
          mostAtOnce = Math.max(mostAtOnce, atOnce)
          await sleep(60)
          atOnce -= 1
          ran.push(loop)
        },
      },
      {
        name: 'broken',
        everyMs: 10,
        run: async () => {
          ran.push(`${loop} broken`)
          throw new Error('no')
        },
      },
    ]
    const loops = ['a', 'b'].map((name) => new JobLoop(contextOf(database), jobsOf(name), times))
    for (const loop of loops) loop.start()
    await until(() => ran.length > 20)
    await until(() => ran.some((name) => !name.endsWith('broken')))
    expect(new Set(ran.map((name) => name.split(' ')[0])).size).toBe(1)
    const [first] = ran
    const holder = loops[first?.startsWith('a') ? 0 : 1]
    const count = ran.length
    await holder?.stop()
    await until(() => ran.length > count + 5)
    expect(ran.at(-1)?.[0]).not.toBe(first?.[0])
    for (const loop of loops) await loop.stop()
    expect(mostAtOnce).toBe(1)
  })
})

/** A process of its own that does a job: it writes down who did it, again and again. */
const worker = `
import { openDatabase } from '#server/db/connect.ts'
import { JobLoop } from '#server/db/jobs/job-loop.ts'
import { sql } from 'kysely'
const [url, name] = process.argv.slice(-2)
const database = await openDatabase({ databaseUrl: url, dataDir: '/tmp' })
const job = { name: 'note', everyMs: 50, run: () => sql\`insert into "done" ("by") values (\${name})\`.execute(database.kysely) }
const log = { error: console.error, warn: console.error, info() {}, debug() {} }
new JobLoop({ database, clock: () => new Date(), log }, [job], ${JSON.stringify(times)}).start()
setInterval(() => {}, 1000)
`

describe.runIf(postgresUrl())('two processes on one PostgreSQL', () => {
  let made: TestDatabase
  let database: Database
  const children = new Map<string, ChildProcess>()
  const start = (name: string) => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', worker, '--', made.url, name]
    children.set(name, spawn(process.execPath, args, { cwd: process.cwd(), stdio: ['ignore', 'ignore', 'inherit'] }))
  }
  const doneBy = async (sinceMs = 0) => {
    const rows = await rowsOf(
      database.kysely,
      sql<{ by: string }>`select distinct "by" from "done" where "at" > ${new Date(sinceMs)}`,
    )
    return rows.map(({ by }) => by)
  }
  beforeAll(async () => {
    made = await createTestDatabase()
    database = await openDatabase({ databaseUrl: made.url, dataDir: tmpdir() })
    await migrate(database, migrations)
    await sql`create table "done" ("by" text not null, "at" timestamptz not null default clock_timestamp())`.execute(
      database.kysely,
    )
  })
  afterAll(async () => {
    for (const child of children.values()) child.kill('SIGKILL')
    await database.close()
    await made.drop()
  })

  it('lets the other go on when the one that works is killed', async () => {
    start('one')
    start('two')
    await until(async () => (await doneBy()).length > 0, 30_000)
    await sleep(1_500)
    const [holder, ...others] = await doneBy()
    expect(others).toEqual([])
    children.get(holder ?? '')?.kill('SIGKILL')
    const killedMs = Date.now()
    await until(async () => (await doneBy(killedMs + 200)).length > 0)
    expect(await doneBy(killedMs + 200)).toEqual([holder === 'one' ? 'two' : 'one'])
    expect(Date.now() - killedMs).toBeLessThan(times.leaseMs + 3_000)
  }, 60_000)
})
