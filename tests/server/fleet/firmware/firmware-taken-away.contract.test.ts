import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { requestAutomatic } from '#server/fleet/firmware/updates/request-automatic.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'

const version = '2.2.5'
const firmwareId = '01890000-0000-7000-8000-0000000000f3'

// The embedded engine has one session: nobody does anything beside a request.
describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))('a firmware on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    for (const table of ['configuration', 'firmware_update', 'firmware', 'firmwareFile', 'rollout', 'rolloutTarget'])
      await server.rows(`delete from "${table}"`)
    await server.rows(`insert into "firmware" ("id", "firmwareVersion", "hardwareRevisions", "status", "file")
      values ('${firmwareId}', '${version}', '["B1"]', 'RELEASED', '{"sha256": "f3", "sizeBytes": 5}')`)
    await server.rows(`insert into "firmwareFile" ("firmwareId", "content") values ('${firmwareId}', '${version}')`)
    updating = await UpdatingBoard.add(server)
    await updating.wish({ autoUpdate: true })
    await updating.runsWith({ autoUpdate: true })
  })

  const request = async () => (await updating.request({ firmwareId })).status
  const automatic = () => requestAutomatic(server.database, server.now)
  const remove = async () => (await server.call('DELETE', `firmware/${firmwareId}`)).status
  const archive = async () =>
    (await server.call('PUT', `firmware/${firmwareId}/status`, { body: { status: 'ARCHIVED' } })).status
  const updates = () =>
    server.rows<TestUpdate>(`select "toVersion", "status" from "firmware_update" where "finishedAt" is null`)
  const waits = `select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
  const waiting = async () => (await server.rows(waits)).length

  type Act = () => Promise<number>
  /** One is stopped where it first writes to a table, another begun meanwhile; both go on when that one has ended or waits, too. */
  async function whileStopped(table: string, first: Act, second: Act): Promise<number[]> {
    // The caller has signed in before.
    await server.token()
    const both: Promise<number>[] = []
    await inTransaction(server.database, async (db) => {
      await sql`lock table ${sql.table(table)} in share mode`.execute(db)
      let ended = 0
      const end = () => {
        ended += 1
      }
      both.push(first())
      await expect.poll(waiting).toBe(1)
      both.push(second().finally(end))
      await expect.poll(async () => ended + (await waiting())).toBe(2)
    })
    return Promise.all(both)
  }

  const underTest = () => server.rows(`update "firmware" set "status" = 'TESTING' where "id" = '${firmwareId}'`)

  it.each<[string, Act, number]>([
    ['a person', request, 400],
    ['the server itself', automatic, 0],
  ])('that is being deleted is not requested by %s any more', async (_, asks, answer) => {
    expect(await whileStopped('firmwareFile', remove, asks)).toEqual([204, answer])
    expect(await updates()).toEqual([])
  })

  it.each<[string, Act, number]>([
    ['a person', request, 201],
    ['the server itself', automatic, 1],
  ])('is not deleted while it is being requested by %s', async (_, asks, answer) => {
    expect(await whileStopped('firmware_update', asks, remove)).toEqual([answer, 409])
    expect(await updates()).toEqual([{ toVersion: version, status: 'QUEUED' }])
  })

  it('is not archived while a person tries again to install it', async () => {
    await underTest()
    const { id } = await updating.requested({ firmwareId })
    expect((await server.call('PUT', `firmware-update/${id}/cancel`)).status).toBe(200)
    const retry = async () => (await server.call('POST', `firmware-update/${id}/retry`)).status
    expect(await whileStopped('firmware_update', retry, archive)).toEqual([201, 409])
    expect(await updates()).toEqual([{ toVersion: version, status: 'QUEUED' }])
  })

  it('is not archived while a rollout asks for it', async () => {
    await underTest()
    const body = { name: 'Spring', firmwareId, controlPcbIds: [updating.board.id], waves: [{ sharePct: 100 }] }
    const { id } = (await server.call<{ id: string }>('POST', 'rollout', { body })).body
    expect((await server.call('PUT', `rollout/${id}/start`)).status).toBe(200)
    const lead = async () => {
      await updating.lead()
      return (await updates()).length
    }
    expect(await whileStopped('firmware_update', lead, archive)).toEqual([1, 409])
  })
})
