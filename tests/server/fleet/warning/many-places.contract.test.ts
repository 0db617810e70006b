import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { furtherPlaces, mostPlaces } from '#resources/fleet/cell-place.ts'
import { flagCodes } from '#resources/fleet/warnings/warning-codes.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { countedEngine } from '#tests/support/counted-engine.ts'
import { engines } from '#tests/support/databases.ts'
import { bitsOf, troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const all = bitsOf(...flagCodes)
const sensor = bitsOf('SENSOR_FAULT')
const contactor = bitsOf('CONTACTOR_FAULT')
const cell = (index: number) => `m${1 + Math.floor(index / 100)}/c${String(1 + (index % 100)).padStart(2, '0')}`

describe.each(engines)('events at many places on $name', (engine) => {
  const { engine: counted, count } = countedEngine(engine)
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(counted)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.pass(86_400)
    warned = await WarnedBoard.add(server)
  })

  const ago = (seconds: number) => new Date(server.now.getTime() - seconds * 1000)
  const flags = (raisedFlags: number, index: number, secondsAgo: number) =>
    warned.event({ eventFlags: raisedFlags, raisedFlags, subject: cell(index) }, ago(secondsAgo))
  const send = async (frames: readonly Buffer[]) => {
    const { status, body, text } = await server.send(warned.board, ...frames)
    expect([status, body.accepted], text).toEqual([202, frames.length])
  }
  const costOf = async (frames: readonly Buffer[]) => {
    const from = count()
    await send(frames)
    return count() - from
  }
  const rows = (condition = 'true') =>
    server.rows<{ code: string; subject: string | null; active: boolean; lastSeenAt: Date; latched: boolean }>(
      `select "code", "subject", "active", "lastSeenAt", "latched" from "telemetry_warning"
        where "controlPcbId" = '${warned.board.id}' and ${condition} order by "code", "subject"`,
    )

  it('open a bounded number of warnings, and one for all places beyond them', async () => {
    await send(Array.from({ length: 300 }, (_, index) => flags(all, index, 300 - index)))
    const open = await rows('"active"')
    const codes = new Set(open.map(({ code }) => code))
    expect(codes.size).toBeGreaterThan(3)
    for (const code of codes) {
      const subjects = open.filter((one) => one.code === code).map(({ subject }) => subject)
      const own = Array.from({ length: mostPlaces }, (_, index) => cell(index))
      expect([code, subjects.toSorted()]).toEqual([code, [...own, furtherPlaces].toSorted()])
    }
    const further = open.filter(({ subject }) => subject === furtherPlaces)
    // The last event is of a place beyond them, and none is lost.
    for (const { lastSeenAt } of further) expect(Date.parse(String(lastSeenAt))).toBeGreaterThan(ago(3).getTime())
  })

  it('end a warning and open it anew within one body, more than ten minutes later', async () => {
    await warned.see(0, troubles.hot)
    await warned.see(70, troubles.hot)
    expect((await rows('"active"')).map(({ code }) => code)).toEqual(['OVER_TEMP'])
    server.pass(3_600)
    await send([
      warned.sample({}, ago(3_000)),
      warned.sample({}, ago(2_900)),
      ...[1_200, 1_100, 600, 10].map((secondsAgo) => warned.sample(troubles.hot, ago(secondsAgo))),
    ])
    expect((await rows()).map(({ code, active }) => [code, active]).toSorted()).toEqual([
      ['OVER_TEMP', false],
      ['OVER_TEMP', true],
    ])
  })

  it('of flags that wait for their delay keep a bounded memory, and all of them are raised', async () => {
    await send(Array.from({ length: 200 }, (_, index) => flags(sensor, index, 200 - index)))
    const [memory] = await server.rows<{ size: number }>(
      `select length("memory"::text) as "size" from "warningMemory" where "controlPcbId" = '${warned.board.id}'`,
    )
    expect(memory?.size).toBeLessThan(5_000)
    await warned.see(600, { eventFlags: sensor })
    const subjects = (await rows('"active"')).map(({ subject }) => subject)
    expect(subjects).toHaveLength(mostPlaces + 1)
    expect(subjects).toContain(furtherPlaces)
    await warned.see(60, { eventFlags: 0 })
    expect(await rows('"active"')).toEqual([])
  })

  it('take the place of one that has ended, and further places last until the flag is over', async () => {
    await send(Array.from({ length: mostPlaces + 4 }, (_, index) => flags(sensor, index, 600)))
    await warned.see(0, { eventFlags: sensor })
    await warned.hear(30, { eventFlags: sensor, clearedFlags: sensor, subject: cell(0) })
    await warned.see(1_800, { eventFlags: sensor })
    await warned.hear(30, { eventFlags: sensor, raisedFlags: sensor, subject: cell(90) })
    await warned.see(600, { eventFlags: sensor })
    const open = (await rows('"active"')).map(({ subject }) => subject)
    expect(open).not.toContain(cell(0))
    expect(open).toContain(cell(90))
    expect(open).toContain(furtherPlaces)
    expect(open).toHaveLength(mostPlaces + 1)
    await warned.hear(30, { eventFlags: 0, clearedFlags: sensor, subject: cell(90) })
    expect(await rows('"active"')).toEqual([])
  })

  it('that come late are bounded, too', async () => {
    await warned.see(0, {})
    server.pass(600)
    await warned.see(0, {})
    await send(Array.from({ length: 60 }, (_, index) => flags(contactor, index, 300 - index)))
    expect((await rows('"active"')).filter(({ code }) => code === 'CONTACTOR_FAULT')).toHaveLength(mostPlaces + 1)
  })

  it('cost as many statements at all places that a code may have as at two', async () => {
    const at = (places: number) => Array.from({ length: places }, (_, index) => flags(contactor, index, places - index))
    const few = await costOf(at(2))
    server.pass(86_400)
    warned = await WarnedBoard.add(server)
    // Jobs in the background ask now and then; one look-up for each place would be fifteen more.
    expect(await costOf(at(mostPlaces + 1))).toBeLessThanOrEqual(few + 5)
    expect(await rows('"active"')).toHaveLength(mostPlaces + 1)
  })

  it('cost as many statements for hundreds that come and go as for a few', async () => {
    const comesAndGoes = (many: number) =>
      Array.from({ length: many }, (_, index) => {
        const isSet = index % 2 === 0
        const values = { eventFlags: isSet ? all : 0, raisedFlags: isSet ? all : 0, clearedFlags: isSet ? 0 : all }
        return warned.event(values, ago((many - index) * 180))
      })
    const few = await costOf(comesAndGoes(4))
    server.pass(86_400)
    expect(await costOf(comesAndGoes(400))).toBeLessThanOrEqual(few + 5)
  })
})
