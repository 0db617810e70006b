import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { StreamPlaces } from '#server/account/live/stream-places.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { engines, openMigrated } from '#tests/support/databases.ts'

const log = { warn: vi.fn() } as never

/** The embedded database has one process, which counts in memory alone. */
describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))('a place for a stream on $name', (engine) => {
  let database: Database
  beforeAll(async () => {
    database = await openMigrated(engine)
  })
  afterAll(() => database.close())

  const kept = (userId: string) =>
    rowsOf(database.kysely, sql`select 1 from "liveStream" where "userId" = ${userId}`).then(({ length }) => length)

  /** Takes a place while another transaction of the same person makes it wait, and a beat comes in between. */
  async function takenBesideBeat(places: StreamPlaces, userId: string) {
    const other = await database.pool.connect()
    try {
      await other.query('begin')
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 7))', [`streams ${userId}`])
      const taken = places.take(userId).catch((error: unknown) => error)
      await places.beat()
      await other.query('commit')
      return await taken
    } finally {
      other.release()
    }
  }

  it('is taken while its process says that it lives', async () => {
    const places = new StreamPlaces({ database, log }, 1)
    await places.beat()
    const give = await takenBesideBeat(places, 'ann')
    expect(give).toBeTypeOf('function')
    expect(await kept('ann')).toBe(1)
    await places.beat()
    expect(await kept('ann')).toBe(1)
    await expect(takenBesideBeat(places, 'ann')).resolves.toMatchObject({ code: 'too-many' })
    expect(await kept('ann')).toBe(1)
    await places.close()
  })

  it('is made again by its process after others have taken its row for one that is left', async () => {
    const places = new StreamPlaces({ database, log }, 1)
    await places.beat()
    await places.take('eve')
    await sql`delete from "liveStream" where "userId" = 'eve'`.execute(database.kysely)
    await places.beat()
    expect(await kept('eve')).toBe(1)
    await places.close()
  })
})
