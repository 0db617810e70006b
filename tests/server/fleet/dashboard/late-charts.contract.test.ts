import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StaffSummary, summarySchema } from '#schema/wire/summary.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { engines } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

// The embedded engine has one session: nothing stops a request there but another request.
describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))('the charts of a large fleet on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine)
  }, 120_000)
  afterAll(() => server?.close())

  async function summary(): Promise<StaffSummary> {
    const { status, body } = await server.call('GET', 'dashboard/summary', { token: await server.as('admin') })
    expect(status).toBe(200)
    const found = summarySchema.parse(body)
    if (found.view !== 'staff') throw new Error(found.view)
    return found
  }

  it('come after the figures when they take longer than three seconds, and are counted once for both answers', async () => {
    await server.as('admin')
    await inTransaction(server.database, async (db) => {
      await sql`lock table "telemetry1h" in access exclusive mode`.execute(db)
      const began = performance.now()
      const { charts, cards } = await summary()
      expect(charts).toBeNull()
      expect(cards.length).toBeGreaterThan(0)
      expect(performance.now() - began).toBeGreaterThan(2_900)
      const waiting =
        await sql`select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`.execute(
          db,
        )
      expect(waiting.rows).toHaveLength(1)
    })
    await expect.poll(async () => (await summary()).charts?.reporting.length).toBe(168)
  })
})
