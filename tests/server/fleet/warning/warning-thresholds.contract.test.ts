import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Channel } from '#resources/fleet/channel-of.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { WarnedBoard } from '#tests/support/warned-board.ts'
import { isOutside, normalRange } from '#widgets/board/normal-range.ts'
import { numberAt, readLastTelemetry } from '#widgets/energy/last-telemetry.ts'

type Bounds = { raise: number; clear: number }
type Level = Bounds & { severity: string; under?: Bounds }
type Threshold = {
  key: string
  delayS: number
  levels: Level[]
  standard: { delayS: number; levels: Level[] }
  version: number
}
type Call = { role?: 'admin' | 'moderator' | 'service_engineer' | 'client'; body?: object }

describe.each(oneEngine(import.meta.filename))('thresholds of warnings on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())

  const all = async () => (await server.call<Threshold[]>('GET', 'warning-threshold')).body
  const known = async (key: string) => (await all()).find((threshold) => threshold.key === key)
  const put = (key: string, body: object, more: Call = {}) =>
    server.call<Threshold>('PUT', `warning-threshold/${key}`, { body, ...more })
  const level = (severity: string, raise: number, clear: number): Level => ({ severity, raise, clear })
  const heat = (maxC: number) => ({ cellTempMinC: maxC - 2, cellTempAvgC: maxC - 1, cellTempMaxC: maxC })

  it('are shown with their standards, cells by chemistry', async () => {
    const found = await all()
    expect(found.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['OVER_TEMP', 'CELL_OVER_VOLT-LFP', 'CELL_OVER_VOLT-NMC']),
    )
    expect(found.find(({ key }) => key === 'GRID_FREQ')).toMatchObject({ direction: 'around', around: 50, unit: 'Hz' })
    expect(await known('OVER_TEMP')).toMatchObject({
      code: 'OVER_TEMP',
      title: ['Battery too hot', expect.any(String)],
      direction: 'above',
      delayS: 60,
      levels: [level('WARNING', 45, 42), level('CRITICAL', 55, 50)],
      version: 0,
      updatedBy: null,
    })
  })

  it('hold for every board from its next sample on, beside what the board has of its own, until they are taken back', async () => {
    const warned = await WarnedBoard.add(server)
    const levels = [level('WARNING', 38, 36), level('CRITICAL', 48, 45)]
    expect((await put('OVER_TEMP', { delayS: 0, levels, version: 0 })).body).toMatchObject({
      version: 1,
      levels,
      standard: { delayS: 60 },
    })
    await warned.see(0, heat(39))
    expect(await warned.only()).toMatchObject({ code: 'OVER_TEMP', severity: 'WARNING', threshold: 38 })
    await warned.see(60, heat(49))
    expect(await warned.only()).toMatchObject({ severity: 'CRITICAL', threshold: 48, trip: true })

    const own = await WarnedBoard.add(server)
    const overrides = [{ code: 'OVER_TEMP', raise: 41, clear: 40, delayS: 0 }]
    await server.rows(
      `insert into "configuration" ("controlPcbId", "version", "desired") values ('${own.board.id}', 1, '${JSON.stringify({ warningOverrides: overrides })}')`,
    )
    await own.see(0, heat(40))
    expect(await own.open()).toEqual([])

    expect((await server.call('DELETE', 'warning-threshold/OVER_TEMP')).status).toBe(200)
    expect(await known('OVER_TEMP')).toMatchObject({ version: 2, delayS: 60 })
    await warned.see(60, heat(41))
    expect(await warned.only()).toMatchObject({ active: false })
    const trail = await server.rows(
      `select "action", "entityId" from "auditLog" where "entityType" = 'warning-threshold' order by "at", "id"`,
    )
    expect(trail).toEqual([
      { action: 'set-threshold', entityId: 'OVER_TEMP' },
      { action: 'reset-threshold', entityId: 'OVER_TEMP' },
    ])
  })

  it('of cells hold for their chemistry only', async () => {
    const warned = await WarnedBoard.add(server)
    const levels = [level('WARNING', 3.3, 3.29), level('CRITICAL', 3.9, 3.6)]
    expect((await put('CELL_OVER_VOLT-NMC', { delayS: 0, levels, version: 0 })).status).toBe(200)
    await warned.see(0, {})
    await warned.see(60, { cellVoltageMaxMv: 3_400, cellVoltageAvgMv: 3_390, cellVoltageMinMv: 3_380 })
    expect(await warned.open()).toEqual([])
  })

  it.each([
    ['levels.0.clear', 'OVER_TEMP', [level('WARNING', 45, 46), level('CRITICAL', 55, 50)]],
    ['levels.1.raise', 'OVER_TEMP', [level('WARNING', 45, 42), level('CRITICAL', 44, 40)]],
    ['levels.0.clear', 'UNDER_TEMP', [level('WARNING', 5, 4), level('CRITICAL', 0, 3)]],
    ['levels.1.raise', 'UNDER_TEMP', [level('WARNING', 5, 7), level('CRITICAL', 6, 7)]],
    ['levels', 'OVER_TEMP', [level('WARNING', 45, 42)]],
  ])('are refused at %s when %s makes no sense', async (path, key, levels) => {
    const { status, body } = await put(key, { delayS: 60, levels, version: (await known(key))?.version })
    expect([status, Object.keys(Object(Object(body).fields))]).toEqual([400, [path]])
  })

  it('are seen by the staff, set by admins, and never over the head of another', async () => {
    const levels = [level('WARNING', 9, 6), level('CRITICAL', 16, 11)]
    const limit = { delayS: 300, levels, version: 0 }
    expect((await server.call('GET', 'warning-threshold', { role: 'service_engineer' })).status).toBe(200)
    expect((await server.call('GET', 'warning-threshold', { role: 'client' })).status).toBe(403)
    expect((await put('TEMP_IMBALANCE', limit, { role: 'moderator' })).status).toBe(403)
    expect((await put('NO_SUCH', limit)).status).toBe(404)
    const both = await Promise.all([put('TEMP_IMBALANCE', limit), put('TEMP_IMBALANCE', { ...limit, delayS: 60 })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await put('TEMP_IMBALANCE', limit)).body).toMatchObject({ code: 'stale-version', current: { version: 1 } })
  })

  it('that were brought back and set again are not overwritten by an older form', async () => {
    const limit = (raise: number) => ({ delayS: 30, levels: [level('WARNING', raise, 60), level('CRITICAL', 90, 80)] })
    const set = (raise: number, version: number) => put('MOSFET_TEMP', { ...limit(raise), version })
    const { version = 0 } = (await known('MOSFET_TEMP')) ?? {}
    const old = (await set(70, version)).body.version
    expect((await server.call('DELETE', 'warning-threshold/MOSFET_TEMP')).status).toBe(200)
    expect((await server.call('DELETE', 'warning-threshold/MOSFET_TEMP')).status).toBe(200)
    const back = await known('MOSFET_TEMP')
    expect(back).toMatchObject({ ...back?.standard, version: old + 1, updatedBy: expect.any(String) })
    expect((await set(72, back?.version ?? 0)).body).toMatchObject({ ...limit(72), version: old + 2 })
    for (const stale of [version, old, old + 1])
      expect((await set(75, stale)).body).toMatchObject({ code: 'stale-version', current: { ...limit(72), version: old + 2 } })
    await server.call('DELETE', 'warning-threshold/MOSFET_TEMP')
  })

  it('tell before they are set which warnings would begin, end or change', async () => {
    const [hotter, colder, calm] = await Promise.all([
      WarnedBoard.add(server),
      WarnedBoard.add(server),
      WarnedBoard.add(server),
    ])
    server.setNow(new Date())
    await hotter.see(0, heat(77))
    await hotter.see(60, heat(77))
    await colder.see(0, heat(66))
    await calm.see(0, {})
    expect(await colder.open()).toEqual([])
    const preview = async (levels: Level[], more: Call = {}) =>
      server.call<Record<string, unknown>>('POST', 'warning-threshold/OVER_TEMP/preview', {
        body: { delayS: 300, levels, version: 0 },
        ...more,
      })
    await server.call('DELETE', 'warning-threshold/OVER_TEMP')
    const examplesOf = (body: Record<string, unknown>) =>
      (body.examples as { board: { id: string }; from: string | null; to: string | null }[])
        .filter(({ board }) => [hotter, colder, calm].some((warned) => warned.board.id === board.id))
        .map(({ board, from, to }) => [board.id === hotter.board.id ? 'hotter' : 'colder', from, to])
        .toSorted()
    const higher = await preview([level('WARNING', 70, 69), level('CRITICAL', 80, 79)])
    expect(examplesOf(higher.body)).toEqual([
      ['colder', 'CRITICAL', null],
      ['hotter', 'CRITICAL', 'WARNING'],
    ])
    expect(examplesOf((await preview([level('WARNING', 45, 42), level('CRITICAL', 55, 50)])).body)).toEqual([])
    expect(await known('OVER_TEMP')).toMatchObject({ levels: [level('WARNING', 45, 42), level('CRITICAL', 55, 50)] })
    expect((await preview([level('WARNING', 45, 46), level('CRITICAL', 55, 50)])).status).toBe(400)
    expect((await preview([level('WARNING', 45, 42)], { role: 'moderator' })).status).toBe(403)
  })

  it('in force are those by which the board page judges its values, the own ones of the board included', async () => {
    const warned = await WarnedBoard.add(server)
    const { id } = warned.board
    await warned.see(0, { mosfetTempC: 70, gridVoltageL1V: 240 })
    const judged = async (name: Channel) => {
      const last = readLastTelemetry((await server.call('GET', `control-pcb/${id}/last-telemetry`)).body)
      const range = last && normalRange(name, last)
      return { range, isWrong: range && isOutside(numberAt(last, name) ?? Number.NaN, range) }
    }
    expect(await judged('mosfetTempC')).toEqual({ range: { low: null, high: 75 }, isWrong: false })
    expect(await judged('gridVoltageL1V')).toEqual({ range: { low: 207, high: 253 }, isWrong: false })

    const { version = 0 } = (await known('MOSFET_TEMP')) ?? {}
    await put('MOSFET_TEMP', { delayS: 30, levels: [level('WARNING', 65, 60), level('CRITICAL', 90, 80)], version })
    await put('GRID_VOLT', { delayS: 60, levels: [level('WARNING', 8, 6), level('CRITICAL', 46, 40)], version: 0 })
    expect(await judged('mosfetTempC')).toEqual({ range: { low: null, high: 65 }, isWrong: true })
    expect(await judged('gridVoltageL1V')).toEqual({ range: { low: 222, high: 238 }, isWrong: true })

    const overrides = [{ code: 'MOSFET_TEMP', raise: 72, clear: 70, delayS: 0 }]
    await server.rows(
      `insert into "configuration" ("controlPcbId", "version", "desired") values ('${id}', 1, '${JSON.stringify({ warningOverrides: overrides })}')`,
    )
    expect(await judged('mosfetTempC')).toEqual({ range: { low: null, high: 72 }, isWrong: false })
    await server.call('DELETE', 'warning-threshold/MOSFET_TEMP')
    await server.call('DELETE', 'warning-threshold/GRID_VOLT')
    expect(await judged('gridVoltageL1V')).toEqual({ range: { low: 207, high: 253 }, isWrong: false })
  })

  it('of a range have bounds of their own below its centre, and only a range has', async () => {
    const usual = await known('GRID_FREQ')
    expect(usual?.levels[1]).toEqual({ ...level('CRITICAL', 1.5, 1.2), under: { raise: 2.5, clear: 2.2 } })
    const set = (under: { raise: number; clear: number }) =>
      put('GRID_FREQ', {
        delayS: 60,
        levels: [level('WARNING', 0.5, 0.4), { ...level('CRITICAL', 1.5, 1.2), under }],
        version: 0,
      })
    expect(await set({ raise: 0.3, clear: 0.4 })).toMatchObject({
      status: 400,
      body: { fields: { 'levels.1.under.raise': expect.any(String), 'levels.1.under.clear': expect.any(String) } },
    })
    expect((await set({ raise: 3, clear: 2.5 })).body.levels[1]?.under).toEqual({ raise: 3, clear: 2.5 })
    const hot = [level('WARNING', 45, 42), { ...level('CRITICAL', 55, 50), under: { raise: 1, clear: 0 } }]
    const { version = 0 } = (await known('OVER_TEMP')) ?? {}
    expect(await put('OVER_TEMP', { delayS: 60, levels: hot, version })).toMatchObject({
      status: 400,
      body: { fields: { 'levels.1.under': expect.any(String) } },
    })
    const early = [{ ...level('WARNING', 0.5, 0.4), under: { raise: 2, clear: 1.9 } }, level('CRITICAL', 1.5, 1.2)]
    expect(await put('GRID_FREQ', { delayS: 60, levels: early, version: 1 })).toMatchObject({
      status: 400,
      body: { fields: { 'levels.1.raise': expect.any(String) } },
    })
    const symmetric = [level('WARNING', 0.5, 0.4), level('CRITICAL', 1.5, 1.2)]
    expect((await put('GRID_FREQ', { delayS: 60, levels: symmetric, version: 1 })).body.levels).toEqual(symmetric)
    expect((await server.call<Threshold>('DELETE', 'warning-threshold/GRID_FREQ')).body.levels).toEqual(usual?.levels)
  })
})
