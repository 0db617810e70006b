import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { releasedId, type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'

type Rollout = { id: string }

describe.each(oneEngine(import.meta.filename))('updates that are not wanted any more on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await setFirmware('RELEASED')
    updating = await UpdatingBoard.add(server)
  })

  const setFirmware = (status: string) =>
    server.rows(`update "firmware" set "status" = '${status}' where "id" = '${releasedId}'`)
  const revoke = () => server.call('PUT', `firmware/${releasedId}/status`, { body: { status: 'REVOKED', reason: 'burns' } })
  const openOnes = async () =>
    (await server.call<TestUpdate[]>('GET', `firmware-update?controlPcbId=${updating.board.id}&finishedAt_null=true`)).body
  const offered = async () =>
    (await offeredUpdates(server.database.kysely, server.now)).filter(({ controlPcbId }) => controlPcbId === updating.board.id)
  async function rollout(): Promise<{ id: string; update: TestUpdate }> {
    const body = { name: 'Spring', firmwareId: releasedId, controlPcbIds: [updating.board.id], waves: [{ sharePct: 100 }] }
    const { id } = (await server.call<Rollout>('POST', 'rollout', { body })).body
    expect((await server.call('PUT', `rollout/${id}/start`)).status).toBe(200)
    await updating.lead()
    const [update] = await openOnes()
    if (!update) throw new Error('the board was not asked')
    return { id, update }
  }
  const stop = async (id: string) => expect((await server.call('PUT', `rollout/${id}/stop`)).status).toBe(200)

  it('do not begin though they were asked for in the moment in which their firmware was revoked', async () => {
    const { id } = await updating.requested()
    const other = await UpdatingBoard.add(server)
    const loading = await other.requested()
    await other.progress(loading.id, 'DOWNLOADING')
    expect(await offered()).toHaveLength(1)
    // As the request leaves it whose transaction ended after the revocation had looked for what is open.
    await setFirmware('REVOKED')
    expect(await offered()).toEqual([])
    await updating.advance()
    expect((await updating.shown(id)).events.at(-1)).toMatchObject({ to: 'CANCELED', source: 'SERVER', code: 'REVOKED' })
    expect(await other.statusOf(loading.id)).toBe('CANCELING')
  })

  it('are not tried again by the server when their firmware is revoked while they are installed', async () => {
    const { id } = await updating.requested()
    await updating.progress(id, 'INSTALLING')
    expect((await revoke()).status).toBe(200)
    server.pass(601)
    await updating.advance()
    expect(await updating.shown(id)).toMatchObject({ status: 'EXPIRED', failureCode: 'TIMEOUT' })
    expect(await openOnes()).toEqual([])
  })

  it('are not tried again at a board that is out of service', async () => {
    const { id } = await updating.requested()
    await updating.progress(id, 'INSTALLING')
    await server.rows(`update "control_pcb" set "lifecycle" = 'RETIRED' where "id" = '${updating.board.id}'`)
    server.pass(601)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('EXPIRED')
    expect(await openOnes()).toEqual([])
  })

  it('are not tried again by a rollout that was stopped, but by anyone who wants it', async () => {
    const { id, update } = await rollout()
    await updating.progress(update.id, 'DOWNLOADING')
    await stop(id)
    await updating.progress(update.id, 'FAILED', { failure: 'CHECKSUM' })
    expect(await updating.statusOf(update.id)).toBe('FAILED')
    expect(await openOnes()).toEqual([])
    const { status, body } = await server.call<TestUpdate>('POST', `firmware-update/${update.id}/retry`)
    expect([status, body]).toMatchObject([201, { rolloutId: null, wave: null, retryOfId: update.id }])
    await updating.advance()
    expect([await updating.statusOf(body.id), await offered()]).toMatchObject(['QUEUED', [{ id: body.id }]])
  })

  // The embedded engine has one session: nobody holds anything while another looks.
  if (engine.name === 'PostgreSQL')
    describe('and that a person holds in that moment', () => {
      const holding = (id: string, act: () => Promise<unknown>) =>
        inTransaction(server.database, async (db) => {
          await rowsOf(db, sql`select 1 from "firmware_update" where "id" = ${id} for update`)
          await act()
        })

      it('are taken back a moment later when their firmware is revoked', async () => {
        const { id } = await updating.requested()
        await holding(id, revoke)
        expect(await offered()).toEqual([])
        await updating.advance()
        expect(await updating.statusOf(id)).toBe('CANCELED')
      })

      it('are taken back a moment later when their rollout is stopped', async () => {
        const { id, update } = await rollout()
        await holding(update.id, () => stop(id))
        expect(await offered()).toEqual([])
        await updating.advance()
        expect(await updating.shown(update.id)).toMatchObject({ status: 'CANCELED', failureCode: 'USER' })
      })
    })
})
