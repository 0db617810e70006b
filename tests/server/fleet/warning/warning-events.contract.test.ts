import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { bitsOf, troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const contactor = bitsOf('CONTACTOR_FAULT')
const door = bitsOf('DOOR_OPEN')
const over = (cell: string) => ({
  cellVoltageMaxMv: 3_590,
  cellVoltageAvgMv: 3_580,
  cellVoltageMinMv: 3_570,
  cellVoltageMaxPos: cell,
})
const isActive = ({ active }: Record<string, unknown>) => active

describe.each(oneEngine(import.meta.filename))('warnings between two samples on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    await server.rows(`delete from "warningNotice"`)
  })

  it('know a fault that came and went, with its cell and both of its times', async () => {
    await warned.see(0, {})
    await warned.hear(20, { eventFlags: contactor, raisedFlags: contactor, subject: 'm3/c07' })
    const startedAt = warned.clockTime()
    expect(await warned.only()).toMatchObject({
      code: 'CONTACTOR_FAULT',
      severity: 'CRITICAL',
      trip: true,
      subject: 'm3/c07',
      startedAt,
      lastSeenAt: startedAt,
      packageId: expect.any(String),
    })
    await warned.hear(2, { clearedFlags: contactor, subject: 'm3/c07' })
    const lastSeenAt = warned.clockTime()
    await warned.see(60, {})
    // The battery has switched itself off: this stays until a person clears it.
    const warning = await warned.only()
    expect(warning).toMatchObject({ startedAt, lastSeenAt, active: true, latched: true, occurrences: 1, subject: 'm3/c07' })
    expect(await warned.noticesOf(warning.id)).toHaveLength(1)
    expect((await server.call('GET', `telemetry-warning/${warning.id}`)).body).toMatchObject({
      snapshot: { raisedFlags: contactor, subject: 'm3/c07' },
    })
  })

  it('know a fault whose whole life is in one event', async () => {
    await warned.see(0, {})
    await warned.hear(20, { raisedFlags: contactor, clearedFlags: contactor, subject: 'm3/c07' })
    expect(await warned.only()).toMatchObject({ code: 'CONTACTOR_FAULT', startedAt: warned.clockTime(), subject: 'm3/c07' })
  })

  it('wait for the delay of a flag, and end it at the time of its event', async () => {
    await warned.hear(0, { eventFlags: door, raisedFlags: door })
    expect(await warned.open()).toEqual([])
    await warned.hear(30, { clearedFlags: door })
    expect(await warned.open()).toEqual([])
    await warned.hear(600, { eventFlags: door, raisedFlags: door })
    await warned.see(60, troubles.door)
    expect(await warned.only()).toMatchObject({ code: 'DOOR_OPEN', startedAt: warned.clockTime(-60_000), active: true })
    await warned.hear(20, { clearedFlags: door })
    expect(await warned.only()).toMatchObject({ active: false, clearedAt: warned.clockTime(), occurrences: 1 })
  })

  it('know a door that was open for longer than its delay, though no sample saw it', async () => {
    await warned.hear(0, { eventFlags: door, raisedFlags: door })
    const startedAt = warned.clockTime()
    await warned.hear(90, { clearedFlags: door })
    expect(await warned.only()).toMatchObject({ code: 'DOOR_OPEN', active: false, startedAt, clearedAt: warned.clockTime() })
  })

  it('take the time of the board for an event that waited, and know one that comes after a younger sample', async () => {
    const [rise, fall] = [30_000, 32_000].map((afterMs) => new Date(server.now.getTime() + afterMs))
    const waited = warned.event({ eventFlags: contactor, raisedFlags: contactor }, rise)
    const late = warned.event({ clearedFlags: contactor }, fall)
    await warned.see(3_600, {})
    await warned.send(waited)
    await warned.send(late)
    expect(await warned.only()).toMatchObject({
      code: 'CONTACTOR_FAULT',
      active: true,
      startedAt: new Date(Math.floor((rise?.getTime() ?? 0) / 1000) * 1000).toISOString(),
      raisedAt: server.now.toISOString(),
    })
  })

  it('are one record a place: two bad modules are two, and each ends by its own event', async () => {
    const [sensor, modules] = [bitsOf('SENSOR_FAULT'), ['m1/c01', 'm4/c01'] as const]
    for (const subject of modules) await warned.hear(0, { eventFlags: sensor, raisedFlags: sensor, subject })
    expect(await warned.open()).toEqual([])
    // A sample knows the flag alone and is about both.
    await warned.see(60, { eventFlags: sensor })
    expect((await warned.open()).map(({ subject }) => subject).toSorted()).toEqual(modules)
    await warned.hear(30, { eventFlags: sensor, clearedFlags: sensor, subject: 'm1/c01' })
    expect((await warned.open()).filter(isActive)).toMatchObject([{ subject: 'm4/c01' }])
    await warned.see(30, { eventFlags: sensor })
    expect((await warned.open()).filter(isActive)).toMatchObject([{ subject: 'm4/c01' }])
    await warned.hear(30, { clearedFlags: sensor, subject: 'm4/c01' })
    expect((await warned.open()).filter(isActive)).toEqual([])
  })

  it('are one record a cell for voltages, and all end when the worst cell is back', async () => {
    await warned.see(0, over('m1/c03'))
    await warned.see(60, over('m1/c03'))
    expect(await warned.only()).toMatchObject({ code: 'CELL_OVER_VOLT', subject: 'm1/c03' })
    // Another cell that is the worst of one sample only has not lasted.
    await warned.see(60, over('m2/c05'))
    expect(await warned.open()).toHaveLength(1)
    await warned.see(60, over('m2/c05'))
    expect((await warned.open()).map(({ subject }) => subject).toSorted()).toEqual(['m1/c03', 'm2/c05'])
    await warned.see(60, {})
    expect((await warned.open()).filter(isActive)).toEqual([])
    await warned.see(60, over('m2/c05'))
    await warned.see(60, over('m2/c05'))
    const again = (await warned.open()).filter(isActive)
    expect(again).toMatchObject([{ subject: 'm2/c05', occurrences: 2 }])
  })
})
