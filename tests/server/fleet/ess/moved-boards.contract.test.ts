import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { bitsOf, troubles, WarnedBoard } from '#tests/support/warned-board.ts'

describe.each(engines)('a board that moves to another system on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())

  type Site = { socPct: number | null; flow: object | null; lastSignalAt: string | null }
  const shownOf = async (essId: string | null) => {
    const { body } = await server.call<Site>('GET', `ess/${essId}`)
    const last = await server.call<{ at: string | null }>('GET', `ess/${essId}/last-telemetry`)
    return { socPct: body.socPct, flow: body.flow, isSignalled: body.lastSignalAt !== null, isMeasured: last.body.at !== null }
  }
  const report = (board: TestBoard, socPct: number, seq: number) => {
    server.pass(1)
    return server.send(board, telemetryFrame({ socPct }, { seq, time: server.now, uid: board.uid }))
  }
  const charge = async ({ id }: TestBoard) =>
    (await server.call<{ channels: { socPct?: { value: number } } }>('GET', `control-pcb/${id}/last-telemetry`)).body.channels
      .socPct?.value

  const move = async (board: TestBoard, other: TestBoard) => {
    await server.call('DELETE', `ess/${other.essId}/remove-control-pcb`, { body: { controlPcbId: other.id, reason: 'broken' } })
    server.pass(1)
    await server.call('DELETE', `ess/${board.essId}/remove-control-pcb`, { body: { controlPcbId: board.id, reason: 'swap' } })
    server.pass(1)
    const body = { controlPcbId: board.id, role: 'MAIN' }
    expect((await server.call('POST', `ess/${other.essId}/attach-control-pcb`, { body })).status).toBe(200)
  }

  it('warns of what was measured before at the system where it stood, and only of what lasts', async () => {
    const [unit, other] = [await WarnedBoard.add(server), await server.addBoard()]
    const { board } = unit
    const ago = (minutes: number) => new Date(server.now.getTime() - minutes * 60_000)
    await unit.see(0, {})
    server.pass(3 * 3_600)
    await move(board, other)
    const contactor = bitsOf('CONTACTOR_FAULT')
    const fault = unit.event({ eventFlags: contactor, raisedFlags: contactor, clearedFlags: 0 }, ago(100))
    const hot = [120, 110, 90].map((minutes) => unit.sample(troubles.veryHot, ago(minutes)))
    await server.send({ ...board, sentAtMs: server.now.getTime() }, ...hot.slice(0, 2), fault, ...hot.slice(2))
    expect(await unit.open()).toMatchObject([{ code: 'CONTACTOR_FAULT', essId: board.essId }])
    await unit.see(60, troubles.veryHot)
    await unit.see(70, troubles.veryHot)
    expect(await unit.open()).toMatchObject([
      { code: 'OVER_TEMP', essId: other.essId },
      { code: 'CONTACTOR_FAULT', essId: board.essId },
    ])
  })

  /** Warnings of the board, those that have ended first. */
  const states = async (unit: WarnedBoard) => {
    const shown = (await unit.open()).map(({ code, essId, active, value }) => ({ code, essId, active, value }))
    return shown.toSorted((a, b) => Number(a.active) - Number(b.active))
  }

  it('takes no open warning along: it ends at the former system, and what lasts begins at the next one', async () => {
    const [unit, other] = [await WarnedBoard.add(server), await server.addBoard()]
    await unit.see(0, troubles.hot)
    await unit.see(70, troubles.hot)
    await move(unit.board, other)
    await unit.see(1, troubles.hot)
    await unit.see(70, troubles.hot)
    expect(await states(unit)).toEqual([
      { code: 'OVER_TEMP', essId: unit.board.essId, active: false, value: 47 },
      { code: 'OVER_TEMP', essId: other.essId, active: true, value: 47 },
    ])
    expect((await server.call('GET', `ess/${other.essId}`)).body).toMatchObject({ health: 'WARNING' })
    expect(await unit.ess()).not.toMatchObject({ health: 'WARNING' })
  })

  it('leaves behind what it measured while it stood nowhere', async () => {
    const [unit, other] = [await WarnedBoard.add(server), await server.addBoard()]
    const { board } = unit
    await unit.see(0, troubles.hot)
    await unit.see(70, troubles.hot)
    for (const { essId, id } of [other, board])
      await server.call('DELETE', `ess/${essId}/remove-control-pcb`, { body: { controlPcbId: id, reason: 'swap' } })
    await unit.see(60, troubles.veryHot)
    await unit.see(70, troubles.veryHot)
    expect(await states(unit)).toEqual([
      { code: 'OVER_TEMP', essId: board.essId, active: false, value: 47 },
      { code: 'OVER_TEMP', essId: null, active: true, value: 57 },
    ])
    await server.call('POST', `ess/${other.essId}/attach-control-pcb`, { body: { controlPcbId: board.id, role: 'MAIN' } })
    expect((await states(unit)).filter(({ active }) => active)).toEqual([])
    await unit.see(10, troubles.veryHot)
    await unit.see(70, troubles.veryHot)
    const open = (await states(unit)).filter(({ active }) => active)
    expect(open).toEqual([{ code: 'OVER_TEMP', essId: other.essId, active: true, value: 57 }])
    expect((await server.call('GET', `ess/${other.essId}`)).body).toMatchObject({ health: 'CRITICAL' })
  })

  it('ends what is open at a former system when it has the same where it stands', async () => {
    const [unit, other] = [await WarnedBoard.add(server), await server.addBoard()]
    const { board } = unit
    await unit.see(0, troubles.hot)
    await unit.see(70, troubles.hot)
    await move(board, other)
    // As earlier releases left it behind.
    await server.rows(`update "telemetry_warning" set "active" = true, "clearedAt" = null where "controlPcbId" = '${board.id}'`)
    await unit.see(10, troubles.veryHot)
    await unit.see(70, troubles.veryHot)
    expect((await states(unit)).map(({ essId, active }) => [essId, active])).toEqual([
      [board.essId, false],
      [other.essId, true],
    ])
  })

  describe('with a fault that stays until a person ends it', () => {
    const contactor = bitsOf('CONTACTOR_FAULT')
    const set = { eventFlags: contactor, raisedFlags: contactor, clearedFlags: 0 }
    /** A board that has moved, and an event that it has kept from the former system. */
    const moved = async () => {
      const [unit, other] = [await WarnedBoard.add(server), await server.addBoard()]
      await unit.see(0, {})
      const kept = (subject: string | null) => unit.event({ ...set, subject }, new Date(server.now.getTime() - 3_600_000))
      server.pass(3 * 3_600)
      await move(unit.board, other)
      const [former, present] = [unit.board.essId, other.essId]
      const tell = (subject: string | null) => server.send({ ...unit.board, sentAtMs: server.now.getTime() }, kept(subject))
      const open = async () => {
        const rows = (await unit.open()).filter(({ active }) => active)
        return rows.map(({ essId, subject }) => [essId === former ? 'former' : essId === present && 'present', subject])
      }
      return { unit, tell, open }
    }

    it('keeps it as it is when an older event of the former system names a place', async () => {
      const { unit, tell, open } = await moved()
      await unit.see(10, { eventFlags: contactor })
      expect(await open()).toEqual([['present', null]])
      await tell('m1/c01')
      expect((await open()).toSorted()).toEqual([
        ['former', 'm1/c01'],
        ['present', null],
      ])
      await unit.see(10, { eventFlags: contactor })
      expect(await open()).toHaveLength(2)
    })

    it('has one where it stands, too, while the same of the former system waits for that person', async () => {
      const { unit, tell, open } = await moved()
      await tell('m1/c01')
      expect(await open()).toEqual([['former', 'm1/c01']])
      const [left] = await unit.open()
      await unit.see(600, { eventFlags: contactor })
      expect((await open()).toSorted()).toEqual([
        ['former', 'm1/c01'],
        ['present', null],
      ])
      const former = (await unit.open()).find(({ id }) => id === left?.id)
      expect(former?.lastSeenAt).toBe(left?.lastSeenAt)
    })

    it('has none of the former system at a place that has one where it stands', async () => {
      const { unit, tell, open } = await moved()
      await unit.hear(10, { ...set, subject: 'm1/c01' })
      const before = await unit.open()
      await tell('m1/c01')
      expect(await open()).toEqual([['present', 'm1/c01']])
      expect(await unit.open()).toEqual(before)
    })

    it('keeps one without a place at the former system when an older event names a place that has one where it stands', async () => {
      const { unit, tell, open } = await moved()
      await unit.hear(10, { ...set, subject: 'm1/c02' })
      expect((await tell(null)).status).toBe(202)
      const both = [
        ['former', null],
        ['present', 'm1/c02'],
      ]
      expect((await open()).toSorted()).toEqual(both)
      const { status, text } = await tell('m1/c02')
      expect(status, text).toBe(202)
      expect((await open()).toSorted()).toEqual(both)
    })
  })

  it('shows nothing there that it measured before', async () => {
    const [board, other] = [await server.addBoard(), await server.addBoard()]
    await report(board, 46, 1)
    expect(await shownOf(board.essId)).toMatchObject({ socPct: 46, isSignalled: true, isMeasured: true })
    await move(board, other)
    expect(await shownOf(other.essId)).toEqual({ socPct: null, flow: null, isSignalled: false, isMeasured: false })
    expect(await charge(board)).toBe(46)
    await report(board, 48, 2)
    expect(await shownOf(other.essId)).toMatchObject({ socPct: 48, isSignalled: true, isMeasured: true })
  })
})
