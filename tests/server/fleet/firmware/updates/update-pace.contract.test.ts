import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'
import { lockRequests } from '#server/fleet/firmware/updates/update-rows.ts'
import { queueUpdate } from '#server/fleet/firmware/updates/update-store.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'

const minute = 60
const hour = 60 * minute

describe.each(oneEngine(import.meta.filename))('the pace of firmware updates on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
  })

  const all = async () =>
    (await server.call<TestUpdate[]>('GET', `firmware-update?controlPcbId=${updating.board.id}&_sort=attempt`)).body
  const offered = async () => {
    const [one] = await offeredUpdates(server.database.kysely, server.now, updating.board.id)
    return one?.id
  }
  async function critical(code: string, lasted: { fromS: number; toS?: number }): Promise<void> {
    const at = (seconds: number) => `'${new Date(server.now.getTime() + seconds * 1000).toISOString()}'`
    const { fromS, toS } = lasted
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "active", "suppressed", "raisedAt", "clearedAt")
      values (gen_random_uuid(), '${code}', 'CRITICAL', '${updating.board.id}', ${toS === undefined}, false, ${at(fromS)},
        ${toS === undefined ? 'null' : at(toS)})`)
  }
  async function restarted(): Promise<string> {
    const { id } = await updating.requested()
    await updating.install(id)
    await updating.says('BOOT', { firmwareVersion: nextVersion, resetReason: 'FW_UPDATE' })
    return id
  }

  it('follows the report interval: a board that reports once an hour proves its version by three packets', async () => {
    await server.rows(`update "boardState" set "reportIntervalS" = ${hour} where "controlPcbId" = '${updating.board.id}'`)
    const id = await restarted()
    for (let hours = 1; hours <= 2; hours++) {
      await updating.advance()
      expect(await updating.statusOf(id)).toBe('CONFIRMING')
      server.pass(hour)
      await updating.report(nextVersion)
    }
    await updating.advance()
    expect(await all()).toMatchObject([{ id, status: 'SUCCEEDED', attempt: 1 }])
  })

  it('gives a board that reports once an hour two reports to say how it goes on', async () => {
    await server.rows(`update "boardState" set "reportIntervalS" = ${hour} where "controlPcbId" = '${updating.board.id}'`)
    const { id } = await updating.requested({ maxAttempts: 1 })
    for (const state of ['DOWNLOADING', 'VERIFYING', 'INSTALLING', 'REBOOTING']) {
      await updating.progress(id, state)
      server.pass(2 * hour - 1)
      await updating.advance()
      expect(await updating.statusOf(id)).toBe(state)
    }
    server.pass(1)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('EXPIRED')
  })

  it('lets no dip of the grid stand against a firmware', async () => {
    const id = await restarted()
    for (let count = 0; count < 3; count++) await updating.report(nextVersion)
    await critical('GRID_VOLT', { fromS: minute, toS: 2 * minute })
    server.pass(10 * minute + 1)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SUCCEEDED')
  })

  it.each(['OVER_TEMP', 'PKT_INVALID_RATE'])(
    'takes a version as proven when something critical has been over for ten minutes: %s',
    async (code) => {
      const id = await restarted()
      for (let count = 0; count < 3; count++) await updating.report(nextVersion)
      await critical(code, { fromS: minute, toS: 5 * minute })
      server.pass(11 * minute)
      await updating.advance()
      expect(await updating.statusOf(id)).toBe('CONFIRMING')
      server.pass(4 * minute + 1)
      await updating.advance()
      expect(await updating.statusOf(id)).toBe('SUCCEEDED')
    },
  )

  it('installs nothing on a board that has the version by other means', async () => {
    const { id } = await updating.requested()
    expect(await offered()).toBe(id)
    await updating.report(nextVersion)
    expect(await updating.statusOf(id)).toBe('CONFIRMING')
    for (let count = 0; count < 2; count++) await updating.report(nextVersion)
    server.pass(10 * minute + 1)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('SUCCEEDED')
  })

  it('asks no board once more that runs the version', async () => {
    await updating.requested()
    await server.rows(
      `update "boardState" set "firmwareVersion" = '${nextVersion}' where "controlPcbId" = '${updating.board.id}'`,
    )
    server.pass(7 * 24 * hour)
    await updating.advance()
    expect(await all()).toMatchObject([{ status: 'EXPIRED', failureCode: 'OFFLINE' }])
  })

  it('waits 10, then 20 minutes before a board is asked once more', async () => {
    const { id } = await updating.requested()
    await updating.progress(id, 'FAILED', { failure: 'CHECKSUM' })
    for (const minutes of [10, 20]) {
      const again = (await all()).at(-1)
      expect(again).toMatchObject({ status: 'QUEUED', waiting: 'TIME' })
      server.pass(minutes * minute - 1)
      await updating.report(oldVersion)
      expect(await offered()).toBeUndefined()
      server.pass(2)
      expect(await offered()).toBe(again?.id)
      await updating.progress(String(again?.id), 'FAILED', { failure: 'CHECKSUM' })
    }
    expect((await all()).map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'FAILED'])
  })

  // The embedded engine has one session: nobody asks while another does.
  if (engine.name === 'PostgreSQL')
    it('lets a person and a rollout ask for boards at the same moment', async () => {
      const other = await UpdatingBoard.add(server)
      const controlPcbIds = [updating.board.id, other.board.id]
      const body = { name: 'Spring', firmwareId: releasedId, controlPcbIds, waves: [{ sharePct: 100 }] }
      const { body: made } = await server.call<{ id: string }>('POST', 'rollout', { body })
      await server.call('PUT', `rollout/${made.id}/start`)
      const controlPcbId = updating.board.id
      let leading: Promise<void> | undefined
      await inTransaction(server.database, async (db) => {
        await lockRequests(db, { controlPcbId, firmwareId: releasedId })
        const versions = { fromVersion: oldVersion, toVersion: nextVersion, kind: 'UPGRADE' }
        const asked = { controlPcbId, essId: null, firmwareId: releasedId, ...versions, attempt: 1, maxAttempts: 3 }
        await queueUpdate(db, { ...asked, requestedBy: null, retryOfId: null, source: 'USER' }, server.now)
        leading = updating.lead()
        const waits = sql`select 1 from pg_stat_activity where "wait_event_type" = 'Lock' and "datname" = current_database()`
        await expect.poll(async () => (await waits.execute(server.database.kysely)).rows.length).toBeGreaterThan(0)
      })
      await leading
      const targets = await server.rows(
        `select "state", "reason" from "rolloutTarget" where "rolloutId" = '${made.id}' order by 1`,
      )
      expect(targets).toEqual([
        { state: 'REQUESTED', reason: null },
        { state: 'WAITING', reason: 'NO_OPEN_UPDATE' },
      ])
    })
})
