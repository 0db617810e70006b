import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { refuseBesideOlder } from '#server/app/refuse-beside-older.ts'
import type { Database } from '#server/db/connect.ts'
import { jobsLease, Lease } from '#server/db/jobs/lease.ts'
import { engines } from '#tests/support/databases.ts'
import { productTables } from '#tests/support/templates.ts'

describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))('a start on $name beside another process', (engine) => {
  let database: Database
  let older: Lease
  const newest = migrations.at(-1)?.id
  beforeAll(async () => {
    database = await engine.open({ template: productTables })
    older = new Lease(database, { name: jobsLease, lifeMs: 30_000 })
    await older.take()
  })
  afterAll(() => database.close())

  const lines: string[] = []
  const started = (waitMs: number) => refuseBesideOlder(database, (line) => lines.push(line), waitMs)

  it('goes on where that one is of the same release', async () => {
    await started(0)
    expect(lines).toEqual([])
  })

  it('is refused where there are steps to do', async () => {
    await database.pool.query('delete from "migration" where "id" = $1', [newest])
    await expect(started(0)).rejects.toThrow('Stop all of its processes, then start this one. Nothing was changed.')
  })

  it('is refused where a second process takes over from one that was stopped', async () => {
    const second = new Lease(database, { name: jobsLease, lifeMs: 30_000 })
    await older.release()
    setTimeout(() => void second.take(), 500)
    await expect(started(2_000)).rejects.toThrow('Stop all of its processes')
    await second.release()
    await older.take()
  })

  it('waits for a process that is being stopped', async () => {
    setTimeout(() => void older.release(), 300)
    await started(5_000)
    expect(lines.at(-1)).toContain('waiting for its end')
  })
})
