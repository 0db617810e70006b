import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fleetCharts } from '#server/fleet/dashboard/fleet-charts.ts'
import { closedHours } from '#server/fleet/dashboard/hourly-counts.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

const at = (cellTempMaxC: number) => ({ cellTempMinC: cellTempMaxC - 2, cellTempAvgC: cellTempMaxC - 1, cellTempMaxC })

describe.each(oneEngine(import.meta.filename))('a warning that becomes less bad on $name', (engine) => {
  let server: BoardServer
  let warned: WarnedBoard
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    warned = await WarnedBoard.add(server)
    await server.rows('delete from "webhook_delivery"')
    await server.rows('delete from "webhook"')
  })

  /** One sample a minute. */
  const see = async (...temperatures: readonly number[]) => {
    for (const temperature of temperatures) await warned.see(60, at(temperature))
  }
  const gradeOf = async () => {
    const { severity, value, threshold, trip, worseSeverity, worseValue, worseThreshold } = await warned.only()
    return { severity, value, threshold, trip, worseSeverity, worseValue, worseThreshold }
  }
  const noneWorse = { worseSeverity: null, worseValue: null, worseThreshold: null }
  const worst = { severity: 'CRITICAL', value: 56.5, threshold: 55, trip: true, ...noneWorse }

  it('says while it lasts how bad it is now, how bad it was and since when', async () => {
    await see(56, 56.5)
    const worstSince = warned.clockTime(-60_000)
    await see(56, 51, 48)
    expect(await gradeOf()).toEqual({
      severity: 'WARNING',
      value: 48,
      threshold: 45,
      trip: true,
      worseSeverity: 'CRITICAL',
      worseValue: 56.5,
      worseThreshold: 55,
    })
    expect(await warned.only()).toMatchObject({ active: true, worstAt: worstSince })
  })

  it('dates its worst from its rise, not from its beginning', async () => {
    await see(47, 47, 56, 56)
    const rose = warned.clockTime()
    await see(48)
    expect(await warned.only()).toMatchObject({ severity: 'WARNING', worseSeverity: 'CRITICAL', worstAt: rose })
  })

  it('says when it is over what it was at its worst, on the record and in the list', async () => {
    await see(56, 56.5, 56, 51, 48, 43)
    const { id } = await warned.only()
    expect(await warned.only()).toMatchObject({ active: true, severity: 'WARNING' })
    await see(41)
    expect(await gradeOf()).toEqual(worst)
    expect((await server.call('GET', `telemetry-warning/${id}`)).body).toMatchObject({ active: false, ...worst })
  })

  it('counts in the chart of its day as what it was at its worst, before its end and after', async () => {
    const today = async () => {
      const { kysely } = server.database
      const { warnings } = await fleetCharts(kysely, server.now, 'UTC', await closedHours(kysely, server.now))
      return Number(warnings.at(-1)?.CRITICAL)
    }
    const before = await today()
    await see(56, 56, 48)
    expect(await today()).toBe(before + 1)
    await see(41)
    expect(await today()).toBe(before + 1)
  })

  it('tells a webhook of its end with its worst value', async () => {
    const events = ['warning.raised', 'warning.severity-changed', 'warning.cleared']
    await server.call('POST', 'webhook', { body: { name: 'course', url: 'https://hooks.example.com/in', events } })
    await see(56, 56.5, 48, 41)
    const rows = await server.rows<{ body: string }>('select "body" from "webhook_delivery" order by "createdAt", "id"')
    const told = rows.map(({ body }): { type: string; data: Record<string, unknown> } => JSON.parse(body))
    expect(told.map(({ type, data }) => [type, data.severity, data.value, data.threshold])).toEqual([
      ['warning.raised', 'CRITICAL', 56.5, 55],
      ['warning.severity-changed', 'WARNING', 48, 45],
      ['warning.cleared', 'CRITICAL', 56.5, 55],
    ])
  })

  it('has each change of its severity in its history, with the worst value of either', async () => {
    await see(56, 56, 48, 56, 57)
    const { id } = await warned.only()
    const { body } = await server.call<Record<string, unknown>[]>('GET', `audit-log?entityId=${id}&_sort=at&_order=asc`)
    expect(body.map(({ action, before, after }) => [action, before, after])).toEqual([
      [
        'change-severity',
        { severity: 'CRITICAL', value: 56, threshold: 55 },
        { severity: 'WARNING', value: 48, threshold: 45 },
      ],
      [
        'change-severity',
        { severity: 'WARNING', value: 56, threshold: 45 },
        { severity: 'CRITICAL', value: 57, threshold: 55 },
      ],
    ])
    expect(await gradeOf()).toEqual({ ...worst, value: 57 })
  })

  it('keeps what it was at its worst when it comes back within ten minutes, and less bad', async () => {
    await see(56, 56.5, 41, 47, 47)
    expect(await gradeOf()).toMatchObject({ severity: 'WARNING', value: 47, worseSeverity: 'CRITICAL', worseValue: 56.5 })
    await see(41)
    expect(await gradeOf()).toEqual(worst)
  })

  it('knows the worst value of what a board tells in one body, end and all', async () => {
    const sampled = [56, 56.5, 58, 57, 48, 41].map((temperature) => {
      server.pass(60)
      return warned.sample(at(temperature))
    })
    await server.send(warned.board, ...sampled)
    expect(await gradeOf()).toEqual({ ...worst, value: 58 })
  })

  it('was last seen when it last was there, and not when it was over', async () => {
    await see(47, 47, 47, 43)
    const lastSeenAt = warned.clockTime()
    await see(41)
    expect(await warned.only()).toMatchObject({ active: false, lastSeenAt, clearedAt: warned.clockTime() })
  })

  it('that stays until a person clears it was last seen with the last sample that had it', async () => {
    for (let minute = 0; minute < 9; minute += 1) await warned.see(60, troubles.insulation)
    const lastSeenAt = warned.clockTime()
    for (let minute = 0; minute < 3; minute += 1) await warned.see(60, {})
    expect(await warned.only()).toMatchObject({ active: true, latched: true, lastSeenAt })
  })

  it('says of a charge that fell to 2.5 % so when it is over', async () => {
    const charge = async (socPct: number, minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) await warned.see(60, { socPct })
    }
    await charge(6, 7)
    await charge(2.5, 7)
    await charge(7, 2)
    expect(await gradeOf()).toMatchObject({ severity: 'WARNING', value: 7, worseSeverity: 'CRITICAL', worseValue: 2.5 })
    await charge(12, 1)
    expect(await gradeOf()).toEqual({
      severity: 'CRITICAL',
      value: 2.5,
      threshold: 3,
      trip: false,
      ...noneWorse,
    })
  })
})
