import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TelemetryValues, telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

type Last = {
  at: string
  ageMs: number
  stale: boolean
  channels: Record<string, { value: unknown; quality: string }>
  board: { id: string; code: string; cause: string; configuration: Record<string, unknown> } | null
}

describe.each(oneEngine(import.meta.filename))('the status of a board on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    // Connection and quality are told by the database's clock.
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())

  const frame = ({ uid }: TestBoard, seq: number, values: TelemetryValues = {}) =>
    telemetryFrame(values, { seq, time: server.now, uid })

  it('counts what came within a day, and which share of it was invalid', async () => {
    const board = await server.addBoard()
    const first = frame(board, 1)
    const broken = frame(board, 3)
    broken[40] = (broken[40] ?? 0) ^ 1
    await server.send(board, first, first, frame(board, 2, { cellVoltageMinMv: 9_900 }), broken, frame(board, 4))
    const { body } = await server.call(`GET`, `control-pcb/${board.id}`)
    expect(body.quality24h).toEqual({
      received: 5,
      valid: 2,
      partial: 1,
      notValid: 2,
      unread: 0,
      invalid: 1,
      duplicate: 1,
      missed: 0,
      invalidPct: 25,
    })
    const silent = await server.addBoard()
    expect((await server.call('GET', `control-pcb/${silent.id}`)).body.quality24h).toMatchObject({
      received: 0,
      invalidPct: null,
    })
  })

  it('has the newest sample of any board, also of one that stands nowhere', async () => {
    const board = await server.addBoard({ ess: false })
    await server.send(board, frame(board, 1, { socPct: 41.5 }))
    server.pass(20)
    const { status, body } = await server.call<Last>('GET', `control-pcb/${board.id}/last-telemetry`, {
      role: 'service_engineer',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ stale: false, board: { id: board.id, code: `PCB-${board.uid}`, cause: 'OK' } })
    expect(body.channels.socPct).toMatchObject({ value: 41.5, quality: 'GOOD' })
    expect(body.ageMs).toBeGreaterThanOrEqual(20_000)
    expect(body.at).toMatch(/^\d{4}-.*\.\d{3}Z$/)
    expect((await server.call('GET', `control-pcb/nobody/last-telemetry`)).status).toBe(404)
  })

  it('calls its values old after three of its intervals, and a quarter of an hour at least', async () => {
    const [usual, hourly] = [await server.addBoard(), await server.addBoard()]
    for (const board of [usual, hourly]) await server.send(board, frame(board, 1))
    await server.rows(`update "boardState" set "reportIntervalS" = 3600 where "controlPcbId" = '${hourly.id}'`)
    const stale = async () => {
      const paths = [usual, hourly].map(({ id }) => `control-pcb/${id}/last-telemetry`)
      return Promise.all(paths.map(async (path) => (await server.call<Last>('GET', path)).body.stale))
    }
    server.pass(14 * 60)
    expect(await stale()).toEqual([false, false])
    server.pass(2 * 60)
    expect(await stale()).toEqual([true, false])
    server.pass(2 * 3_600)
    expect(await stale()).toEqual([true, false])
    server.pass(3_600)
    expect(await stale()).toEqual([true, true])
  })

  it('has no values of a negative age where the clock of a board is minutes ahead', async () => {
    const board = await server.addBoard()
    const ahead = telemetryFrame({}, { seq: 1, time: new Date(server.now.getTime() + 240_000), uid: board.uid })
    await server.send(board, ahead)
    const { body } = await server.call<Last>('GET', `control-pcb/${board.id}/last-telemetry`)
    expect(body).toMatchObject({ ageMs: 0, stale: false })
  })

  it('tells the staff of an ESS which board measured and what it runs with, and nobody else', async () => {
    const board = await server.addBoard()
    await server.send(board, frame(board, 1))
    const path = `ess/${board.essId}/last-telemetry`
    expect((await server.call<Last>('GET', path)).body.board).toMatchObject({ id: board.id, cause: 'OK' })
    expect((await server.call('GET', path, { role: 'client' })).status).toBe(404)
    const bare = await server.addBoard({ ess: false })
    await server.rows(
      `update "ess" set "ownerId" = (select "id" from "user" where "role" = 'client' limit 1) where "id" = '${board.essId}'`,
    )
    const { body } = await server.call<Last>('GET', path, { role: 'client' })
    expect(body.channels.socPct?.value).toBe(63.4)
    expect(body).not.toHaveProperty('board')
    expect((await server.call('GET', `control-pcb/${bare.id}/last-telemetry`, { role: 'client' })).status).toBe(403)
  })
})
