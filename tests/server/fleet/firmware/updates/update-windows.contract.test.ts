import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { advanceRollouts } from '#server/fleet/firmware/rollouts/advance-rollouts.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { clockWindow } from '#tests/support/clock-window.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { releasedId, type TestUpdate, UpdatingBoard } from '#tests/support/updating-board.ts'

const zone = 'Europe/Moscow'

describe.each(oneEngine(import.meta.filename))('the window of an update on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
  })

  const around = (fromH: number, toH: number, at = zone) => clockWindow(server.now, at, fromH, toH)
  const isOffered = async (id: string) =>
    (await offeredUpdates(server.database.kysely, server.now)).some((offered) => offered.id === id)

  it('keeps a request from its board until it opens, and after it has closed again', async () => {
    const window = around(2, 3)
    const { id, ...made } = await updating.requested({ window })
    expect(made).toMatchObject({ status: 'QUEUED', window, waitsFor: { ...window, timezone: zone } })
    expect(await isOffered(id)).toBe(false)
    server.pass(2.5 * 3_600)
    expect(await isOffered(id)).toBe(true)
    server.pass(3_600)
    expect(await isOffered(id)).toBe(false)
  })

  it('lets what has begun go on past its end, and is told no longer then', async () => {
    const { id } = await updating.requested({ window: around(-1, 1) })
    await updating.progress(id, 'DOWNLOADING')
    server.pass(7_200)
    expect(await isOffered(id)).toBe(true)
    expect(await updating.shown(id)).toMatchObject({
      status: 'DOWNLOADING',
      waitsFor: null,
      window: { days: expect.any(Array) },
    })
  })

  it('counts by the clock that the board is configured to, not by that of its site', async () => {
    const { id } = await updating.requested({ window: around(-1, 1, 'Asia/Tokyo') })
    expect(await isOffered(id)).toBe(false)
    await updating.wish({ timezone: 'Asia/Tokyo' })
    expect(await isOffered(id)).toBe(true)
    expect(await updating.shown(id)).toMatchObject({ waitsFor: { timezone: 'Asia/Tokyo' } })
  })

  it('comes after the time that a request is scheduled for', async () => {
    const scheduledAt = new Date(server.now.getTime() + 3_600_000).toISOString()
    const { id } = await updating.requested({ scheduledAt, window: around(2, 3) })
    server.pass(3_600)
    await updating.advance()
    expect(await updating.statusOf(id)).toBe('QUEUED')
    expect(await isOffered(id)).toBe(false)
    server.pass(1.5 * 3_600)
    expect(await isOffered(id)).toBe(true)
  })

  it('does not put off the end of the queue, and stays with the attempts that follow', async () => {
    const window = around(2, 3)
    const { id } = await updating.requested({ window })
    server.pass(7 * 86_400)
    await updating.advance()
    expect(await updating.shown(id)).toMatchObject({ status: 'EXPIRED', failureCode: 'OFFLINE' })
    const [again] = await server.rows<{ id: string }>(`select "id" from "firmware_update" where "retryOfId" = '${id}'`)
    expect(await updating.shown(String(again?.id))).toMatchObject({ status: 'QUEUED', attempt: 2, window })
  })

  it('must be one that opens', async () => {
    const refused = async (window: object) => {
      const { status, body } = await updating.request({ window })
      return [status, Object.keys(Object(body.fields)).sort()]
    }
    expect(await refused({ days: [], from: '01:00', to: '02:00' })).toEqual([400, ['window.days']])
    expect(await refused({ days: ['1'], from: '01:00', to: '01:00' })).toEqual([400, ['window.to']])
    expect(await refused({ days: ['8'], from: '01:00', to: '02:00' })).toEqual([400, [expect.stringContaining('window.days')]])
    expect(await refused({ days: ['1'], from: '25:00', to: '02:00' })).toEqual([400, ['window.from']])
    expect((await updating.request({ window: null })).status).toBe(201)
  })

  it('is the requester’s own: he is told of the board’s, and an empty one means at any time', async () => {
    await updating.wish({ maintenanceWindow: { days: ['1', '2', '3', '6'], from: '01:00', to: '05:00' } })
    type Check = { code: string; ok: boolean; found: string }
    const { body } = await server.call<{ ok: boolean; checks: Check[] }[]>(
      'GET',
      `firmware-update/pre-check?controlPcbId=${updating.board.id}&firmwareId=${releasedId}`,
    )
    expect(body[0]?.ok).toBe(true)
    expect(body[0]?.checks).toContainEqual(
      expect.objectContaining({ code: 'MAINTENANCE_WINDOW', ok: true, found: `Mon–Wed, Sat 01:00–05:00, ${zone}` }),
    )
    const { id, window } = await updating.requested()
    expect(window).toBeNull()
    expect(await isOffered(id)).toBe(true)
  })

  it('is that of the board’s configuration in a rollout', async () => {
    const maintenanceWindow = around(2, 3)
    await updating.wish({ maintenanceWindow })
    const other = await UpdatingBoard.add(server)
    const body = { name: 'Spring', firmwareId: releasedId, controlPcbIds: [updating, other].map(({ board }) => board.id) }
    const made = await server.call<{ id: string }>('POST', 'rollout', { body: { ...body, waves: [{ sharePct: 100 }] } })
    await server.call('PUT', `rollout/${made.body.id}/start`)
    await advanceRollouts(server.database, server.now)
    const { body: asked } = await server.call<TestUpdate[]>('GET', `firmware-update?rolloutId=${made.body.id}`)
    const of = (one: UpdatingBoard) => asked.find(({ controlPcbId }) => controlPcbId === one.board.id)
    expect([of(updating)?.window, of(other)?.window]).toEqual([maintenanceWindow, null])
    const offered = async () => Promise.all([updating, other].map((one) => isOffered(String(of(one)?.id))))
    expect(await offered()).toEqual([false, true])
    server.pass(2.5 * 3_600)
    expect(await offered()).toEqual([true, true])
  })
})
