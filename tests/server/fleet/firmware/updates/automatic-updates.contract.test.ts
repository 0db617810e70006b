import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mostPerRun, requestAutomatic } from '#server/fleet/firmware/updates/request-automatic.ts'
import { afterFirst } from '#tests/support/after-first.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { clockWindow } from '#tests/support/clock-window.ts'
import { oneEngine } from '#tests/support/databases.ts'
import {
  nextVersion,
  oldVersion,
  releasedId,
  type TestUpdate,
  testingId,
  UpdatingBoard,
} from '#tests/support/updating-board.ts'
import { damagedWhere, withTrigger } from '#tests/support/with-trigger.ts'

const zone = 'Europe/Moscow'

describe.each(oneEngine(import.meta.filename))('updates by themselves on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    // Boards of other tests want nothing any more.
    await server.rows(`update "configuration" set "desired" = "desired" - 'autoUpdate'`)
    updating = await UpdatingBoard.add(server)
  })

  const wish = async (unit = updating, more: object = {}) => {
    await unit.wish({ autoUpdate: true, ...more })
    await unit.runsWith({ autoUpdate: true, ...more })
  }
  const run = () => requestAutomatic(server.database, server.now)
  const updatesOf = async ({ board } = updating) =>
    (await server.call<TestUpdate[]>('GET', `firmware-update?controlPcbId=${board.id}&_sort=createdAt&_order=asc`)).body

  it('are not requested for a board of another product, whatever its hardware revision', async () => {
    await wish()
    await server.rows(`update "control_pcb" set "product" = 'ESS-LINK' where "id" = '${updating.board.id}'`)
    expect([await run(), await updatesOf()]).toEqual([0, []])
  })

  it('are requested once for a board that wants it and runs an older version, and say so', async () => {
    await wish()
    expect([await run(), await run()]).toEqual([1, 0])
    const [update] = await updatesOf()
    expect(update).toMatchObject({
      status: 'QUEUED',
      kind: 'UPGRADE',
      fromVersion: oldVersion,
      toVersion: nextVersion,
      requestedBy: null,
      window: null,
      attempt: 1,
    })
    expect((await updating.shown(String(update?.id))).events).toMatchObject([{ source: 'SERVER', code: 'AUTOMATIC' }])
    expect(
      await server.rows(`select "action", "actorId", "reason" from "auditLog" where "entityId" = '${update?.id}'`),
    ).toEqual([{ action: 'create', actorId: null, reason: 'automatic-update' }])
    expect(
      await server.rows(`select "type" from "event" where "resource" = 'firmware-update' and "entityId" = '${update?.id}'`),
    ).toEqual([{ type: 'created' }])
  })

  it('are requested for a board although others of the round fail, whose failures are told', async () => {
    await wish()
    const others = await Promise.all(Array.from({ length: 9 }, () => UpdatingBoard.add(server)))
    for (const other of others) await wish(other)
    const damaged = {
      table: 'firmware_update',
      at: 'before insert',
      act: damagedWhere(`new."controlPcbId" <> '${updating.board.id}'`),
    }
    await withTrigger(server, damaged, () => expect(run()).rejects.toThrow('9 of 10 failed'))
    expect(await updatesOf()).toMatchObject([{ status: 'QUEUED' }])
    expect(await run()).toBe(9)
  })

  it('are requested for a board that has no such setting: the server obeys it alone', async () => {
    await updating.wish({ autoUpdate: true })
    await updating.runsWith({ reportIntervalS: 60 })
    expect(await run()).toBe(1)
  })

  it.each<[string, (unit: UpdatingBoard) => Promise<unknown>]>([
    ['that has never said what it runs with', (unit) => unit.runsWith(null)],
    ['whose wish is off', (unit) => unit.wish({ autoUpdate: false })],
    ['that has not taken the wish yet', (unit) => unit.runsWith({ autoUpdate: false })],
    [
      'that is not in service',
      ({ board }) => server.rows(`update "control_pcb" set "lifecycle" = 'QUARANTINED' where "id" = '${board.id}'`),
    ],
    ['that stands nowhere', ({ board }) => server.rows(`update "control_pcb" set "essId" = null where "id" = '${board.id}'`)],
    [
      'where a person works',
      ({ board }) =>
        server.rows(`update "ess" set "maintenance" = jsonb_build_object('until', '${new Date(server.now.getTime() + 60_000).toISOString()}')
          where "id" = '${board.essId}'`),
    ],
    [
      'that is silent',
      ({ board }) =>
        server.rows(`update "boardState" set "lastValidPacketAt" = '2025-01-01' where "controlPcbId" = '${board.id}'`),
    ],
    ['that runs the newest', (unit) => unit.report(nextVersion)],
    [
      'of other hardware',
      ({ board }) => server.rows(`update "control_pcb" set "hardwareRevision" = 'A1' where "id" = '${board.id}'`),
    ],
    ['that is too old for it', (unit) => unit.report('1.9.0')],
    [
      'whose charge is low',
      async (unit) => {
        server.pass(1_200)
        await unit.report(oldVersion, { socPct: 11 })
      },
    ],
    ['with an open update', (unit) => unit.requested({ firmwareId: testingId })],
  ])('are not requested for a board %s', async (_, change) => {
    await wish()
    await change(updating)
    expect(await run()).toBe(0)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['whose wish is taken back', () => updating.wish({ autoUpdate: false })],
    [
      'to which a person comes',
      () => {
        const until = new Date(server.now.getTime() + 60_000).toISOString()
        return server.call('PUT', `ess/${updating.board.essId}/maintenance`, { body: { until, reason: 'new fan' } })
      },
    ],
  ])('are not requested for a board %s after it was found', async (_, change) => {
    await wish()
    // Setting of the board, firmware on offer, and boards that it fits.
    const looks = 3
    expect(
      await requestAutomatic({ ...server.database, kysely: afterFirst(server.database.kysely, change, looks) }, server.now),
    ).toBe(0)
    expect(await updatesOf()).toEqual([])
  })

  it('begin only within the maintenance window, and take it along', async () => {
    const maintenanceWindow = clockWindow(server.now, zone, 2, 3)
    await wish(updating, { maintenanceWindow })
    expect(await run()).toBe(0)
    server.pass(2.5 * 3_600)
    await updating.report()
    expect(await run()).toBe(1)
    expect(await updatesOf()).toMatchObject([{ window: maintenanceWindow }])
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['has failed', (id) => updating.progress(id, 'FAILED', { failure: 'FLASH' })],
    ['was cancelled', (id) => server.call('PUT', `firmware-update/${id}/cancel`)],
    [
      'came back with the old one',
      async (id) => {
        await updating.install(id)
        await updating.says('BOOT', { firmwareVersion: oldVersion, resetReason: 'FW_UPDATE' })
      },
    ],
    [
      'took too long',
      async (id) => {
        await server.rows(`update "firmware_update" set "maxAttempts" = 1 where "id" = '${id}'`)
        await updating.progress(id, 'INSTALLING')
        server.pass(601)
        await updating.advance()
        await updating.report()
      },
    ],
  ])('are not requested again for a version that %s on the board', async (_, end) => {
    await wish()
    expect(await run()).toBe(1)
    const [update] = await updatesOf()
    await end(String(update?.id))
    expect((await updating.shown(String(update?.id))).finishedAt).not.toBeNull()
    expect(await run()).toBe(0)
    // A newer release is another matter.
    await server.rows(`update "firmware" set "status" = 'RELEASED' where "id" = '${testingId}'`)
    const asked = await run()
    await server.rows(`update "firmware" set "status" = 'TESTING' where "id" = '${testingId}'`)
    expect(asked).toBe(1)
    expect((await updatesOf()).at(-1)).toMatchObject({ toVersion: '2.3.0', status: 'QUEUED' })
  })

  it('leave a firmware to the rollout that leads it, and the boards of a stopped one their version', async () => {
    await wish()
    const body = { name: 'Spring', firmwareId: releasedId, controlPcbIds: [updating.board.id], waves: [{ sharePct: 100 }] }
    const { id } = (await server.call<{ id: string }>('POST', 'rollout', { body })).body
    const outcomes: number[] = []
    for (const verb of ['start', 'pause', 'stop']) {
      expect((await server.call('PUT', `rollout/${id}/${verb}`, { body: {} })).status).toBe(200)
      outcomes.push(await run())
    }
    expect(outcomes).toEqual([0, 0, 0])
    const other = await UpdatingBoard.add(server)
    await wish(other)
    expect(await run()).toBe(1)
    expect(await updatesOf(other)).toHaveLength(1)
  })

  it('are so many at once, and none is kept waiting for ever by others that can not have it', async () => {
    const low = `update "boardState" set "sample" = jsonb_set("sample", '{socPct,value}', '5') where "controlPcbId" in`
    const units = await Promise.all(Array.from({ length: mostPerRun + 6 }, () => UpdatingBoard.add(server)))
    for (const unit of units) await wish(unit)
    const blocked = units.slice(0, 3)
    await server.rows(`${low} (${blocked.map(({ board }) => `'${board.id}'`).join()})`)
    expect([await run(), await run(), await run()]).toEqual([mostPerRun, 3, 0])
    for (const unit of blocked) expect(await updatesOf(unit)).toEqual([])
  })
})
