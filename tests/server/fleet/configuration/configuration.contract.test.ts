import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configurationFields } from '#resources/shared/configuration.ts'
import { dangersOf } from '#schema/field-types.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Desired = Record<string, unknown>

const slot = (from: string, to: string) => ({ days: ['1'], from, to, mode: 'BACKUP' })
const sale = (powerW: number | null) => ({ ...slot('18:00', '20:00'), mode: 'MANUAL', powerW })
/** A change by a dangerous value, where one more than now is none. */
const changes: Record<string, (now: number) => Desired> = {
  manualPowerW: (now) => ({ manualPowerW: now, operatingMode: 'MANUAL' }),
  schedule: () => ({ schedule: [sale(4_000)] }),
}
const threshold = (code: string, raise: number, clear: number) => ({
  warningOverrides: [{ code, raise, clear, delayS: 10 }],
})
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

describe.each(oneEngine(import.meta.filename))('the configuration of a board on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let board: { id: string; code?: unknown }
  let essId: string
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())
  beforeEach(async () => {
    const [ess, made] = [await maker.ess({ cellsInSeries: 16, gridConnectionLimitW: 11_000 }), await maker.board()]
    await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: made.id, role: 'MAIN' })
    essId = ess.id
    board = made
  })

  const path = () => `control-pcb/${board.id}/configuration`
  const current = async () =>
    (await maker.admin.get(path())).body as { desired: Desired; desiredVersion: number; state: string }
  /** Answer to a change of these values in the newest version. */
  const put = async (caller: Pick<Person, 'put'>, change: Desired, base?: number, more: object = {}) => {
    const { desired, desiredVersion } = await current()
    return caller.put(path(), { baseVersion: base ?? desiredVersion, desired: { ...desired, ...change }, ...more })
  }
  /** The same, from a person who types the code of the board. */
  const putSurely = (caller: Pick<Person, 'put'>, change: Desired) =>
    put(caller, change, undefined, { confirmCode: board.code })

  it('counts its versions and keeps each of them', async () => {
    const before = await current()
    expect((await put(maker.admin, { socMinPct: 15 })).status).toBe(200)
    const after = await current()
    expect(after).toMatchObject({ desiredVersion: before.desiredVersion + 1, desired: { socMinPct: 15 }, state: 'PENDING' })
    expect((await maker.admin.get(path())).body.history).toMatchObject([{ version: 2 }, { version: 1 }])
  })

  it('is refused without the version that was read, which is said to be missing', async () => {
    const { desired } = await current()
    const answer = await maker.admin.put(path(), { desired })
    expect([answer.status, answer.body.fields]).toEqual([400, { baseVersion: 'This field is required' }])
  })

  it('is not written over an older version: the later one sees what there is now', async () => {
    await put(maker.admin, { socMinPct: 15 })
    const stale = await put(maker.admin, { socMinPct: 20 }, 1)
    expect(stale.status).toBe(409)
    expect(stale.body.current).toMatchObject({ desiredVersion: 2, desired: { socMinPct: 15 } })
    const { desired } = await current()
    const both = await Promise.all(
      [16, 17].map((socMinPct) => maker.admin.put(path(), { baseVersion: 2, desired: { ...desired, socMinPct } })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it.each<[string, Desired, string]>([
    ['out of its range', { reportIntervalS: 4 }, 'desired.reportIntervalS'],
    ['above what the system is rated for', { chargePowerLimitW: 5_001 }, 'desired.chargePowerLimitW'],
    ['that does not fit another', { socMinPct: 45, socMaxPct: 50 }, 'desired.socMaxPct'],
    ['no cell of this chemistry may have', { cellVoltageMaxMv: 3_700 }, 'desired.cellVoltageMaxMv'],
    ['of a mode that is not set', { manualPowerW: 100 }, 'desired.manualPowerW'],
    ['above what the connection to the grid carries', { gridImportLimitW: 11_001 }, 'desired.gridImportLimitW'],
    ['above the current of the rated power', { chargeCurrentMaxA: 99 }, 'desired.chargeCurrentMaxA'],
    ['of a reserve outside the charge', { backupReservePct: 5 }, 'desired.backupReservePct'],
    ['of two entries at one time', { schedule: [slot('22:00', '06:00'), slot('05:00', '07:00')] }, 'desired.schedule'],
    ['of an entry without a length', { schedule: [slot('05:00', '05:00')] }, 'desired.schedule.0.to'],
    [
      'of a window without a length',
      { maintenanceWindow: { days: ['1'], from: '05:00', to: '05:00' } },
      'desired.maintenanceWindow.to',
    ],
    [
      'of a window on no day',
      { maintenanceWindow: { days: [], from: '01:00', to: '05:00' } },
      'desired.maintenanceWindow.days',
    ],
    ['of nine entries', { schedule: Array.from({ length: 9 }, (_, at) => slot(`0${at}:00`, `0${at}:30`)) }, 'desired.schedule'],
    ['of a threshold that ends on the unsafe side', threshold('OVER_TEMP', 45, 46), 'desired.warningOverrides.0.clear'],
    ['of a low threshold that ends below', threshold('SOC_LOW', 10, 8), 'desired.warningOverrides.0.clear'],
    ['of a threshold of no warning', threshold('FUSE_OPEN', 2, 1), 'desired.warningOverrides.0.code'],
    ['of a capture that lasts for days', { rawCaptureUntil: inHours(25) }, 'desired.rawCaptureUntil'],
    ['that is none', { logLevel: 'SHOUT' }, 'desired.logLevel'],
    ['of a name that nobody knows', { selfDestruct: true }, 'desired.selfDestruct'],
  ])('takes no value %s', async (_what, change, fault) => {
    const answer = await put(maker.admin, change)
    expect(answer.status).toBe(400)
    expect(Object.keys(Object(answer.body.fields))).toContain(fault)
    expect((await current()).desiredVersion).toBe(1)
  })

  it('needs the version that was read, and is nobody’s outside the staff', async () => {
    const { desired } = await current()
    expect((await maker.admin.put(path(), { desired })).status).toBe(400)
    for (const role of ['client', 'installer'] as const)
      expect((await put(await maker.person(role), { socMinPct: 15 })).status).toBe(403)
  })

  it('is an engineer’s where he serves in full', async () => {
    const engineer = await maker.person('service_engineer')
    expect((await put(engineer, { socMinPct: 15 })).status).toBe(403)
    await maker.assign(essId, engineer, 'READ')
    expect((await put(engineer, { socMinPct: 15 })).status).toBe(403)
    await maker.admin.delete(`ess/${essId}/remove-service-engineer`, { userId: engineer.id })
    await maker.assign(essId, engineer)
    expect((await put(engineer, { socMinPct: 15 })).status).toBe(200)
  })

  it('can hurt: such values are the admin’s, or an engineer’s during maintenance', async () => {
    const danger = { cellVoltageMaxMv: 3_600 }
    const [moderator, engineer] = [await maker.person('moderator'), await maker.person('service_engineer')]
    await maker.assign(essId, engineer)
    const refused = await put(moderator, danger)
    expect(refused.status).toBe(403)
    expect(Object.keys(Object(refused.body.fields))).toEqual(['desired.cellVoltageMaxMv'])
    expect((await put(engineer, danger)).status).toBe(403)
    const out = await put(moderator, { cellVoltageMaxMv: 9_999, socMinPct: 45, socMaxPct: 50 })
    expect([out.status, out.body.code]).toEqual([403, 'field-forbidden'])
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await maker.admin.put(`ess/${essId}/maintenance`, { until, reason: 'new cells' })
    expect((await putSurely(engineer, danger)).status).toBe(200)
    expect((await putSurely(maker.admin, { cellVoltageMaxMv: 3_650 })).status).toBe(200)
    expect((await put(moderator, { socMinPct: 15 })).status).toBe(200)
  })

  it('is not changed by accident where it can hurt: the code of the board is typed', async () => {
    const danger = { chargeTempMaxC: 45 }
    const silent = await put(maker.admin, danger)
    expect([silent.status, silent.body.fields]).toEqual([
      400,
      { confirmCode: 'Type it to confirm: a protective limit changes (Charge up to)' },
    ])
    const wrong = await put(maker.admin, danger, undefined, { confirmCode: 'PCB-000000' })
    expect([wrong.status, Object.keys(Object(wrong.body.fields))]).toEqual([400, ['confirmCode']])
    expect((await current()).desiredVersion).toBe(1)
    expect((await putSurely(maker.admin, danger)).status).toBe(200)
    expect((await current()).desired).toMatchObject(danger)
    expect((await put(maker.admin, { socMinPct: 15 })).status).toBe(200)
  })

  it.each(dangersOf(configurationFields))('can hurt by %s, which is marked so: never without the typed code', async (name) => {
    const { desired } = await current()
    const next = Number(desired[name] ?? 20) + 1
    const change = changes[name]?.(next) ?? { [name]: next }
    const silent = await put(maker.admin, change)
    expect([silent.status, Object.keys(Object(silent.body.fields))]).toEqual([400, ['confirmCode']])
    const refused = await put(await maker.person('moderator'), change)
    expect([refused.status, Object.keys(Object(refused.body.fields))]).toEqual([403, [`desired.${name}`]])
    expect((await current()).desiredVersion).toBe(1)
    expect((await putSurely(maker.admin, change)).status).toBe(200)
    expect((await current()).desired).toMatchObject(change)
  })

  it('is told everything that is wrong at once', async () => {
    const answer = await put(maker.admin, {
      reportIntervalS: 4,
      socMinPct: 45,
      socMaxPct: 50,
      chargePowerLimitW: 5_001,
      cellVoltageMaxMv: 3_700,
      ...threshold('OVER_TEMP', 45, 46),
    })
    expect(answer.status).toBe(400)
    expect(Object.keys(Object(answer.body.fields)).toSorted()).toEqual(
      [
        'confirmCode',
        'desired.backupReservePct',
        'desired.cellVoltageMaxMv',
        'desired.chargePowerLimitW',
        'desired.reportIntervalS',
        'desired.socMaxPct',
        'desired.warningOverrides.0.clear',
      ].toSorted(),
    )
  })

  it('is replaced as a whole: a value that is left out is not kept', async () => {
    expect((await put(maker.admin, { gridExportLimitW: 3_000, autoUpdate: true })).status).toBe(200)
    const { desired, desiredVersion } = await current()
    const { gridExportLimitW: _, ...rest } = desired
    expect((await maker.admin.put(path(), { baseVersion: desiredVersion, desired: rest })).status).toBe(200)
    expect((await current()).desired).toMatchObject({ gridExportLimitW: null, autoUpdate: true })
    const { autoUpdate: __, ...less } = rest
    const answer = await maker.admin.put(path(), { baseVersion: 3, desired: less })
    expect([answer.status, Object.keys(Object(answer.body.fields))]).toEqual([400, ['desired.autoUpdate']])
  })

  it('tells a reader what he may change of it, and why not', async () => {
    const accessFor = async (caller: Pick<Person, 'get'>) => {
      const { access, danger } = (await caller.get(path())).body
      return [Object(access).edit, Object(danger).refusal]
    }
    const [moderator, engineer] = [await maker.person('moderator'), await maker.person('service_engineer')]
    expect(await accessFor(maker.admin)).toEqual([null, null])
    expect(await accessFor(moderator)).toEqual([null, 'ROLE'])
    expect(await accessFor(engineer)).toEqual(['NOT_ASSIGNED', 'NOT_ASSIGNED'])
    await maker.assign(essId, engineer)
    expect(await accessFor(engineer)).toEqual([null, 'NO_MAINTENANCE'])
    await maker.admin.put(`ess/${essId}/maintenance`, { until: inHours(1), reason: 'new cells' })
    expect(await accessFor(engineer)).toEqual([null, null])
  })

  it('is described as it is: the answer, its history, and what a change takes', async () => {
    const { paths, components } = (await maker.admin.get('openapi.json')).body
    const { get, put: change } = Object(paths)['/control-pcb/{id}/configuration']
    expect(get.responses['200'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Configuration' })
    const { properties } = Object(components).schemas.Configuration
    const { body } = await maker.admin.get(path())
    const [newest] = body.history as object[]
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(body).toSorted())
    expect(Object.keys(properties.history.items.properties).toSorted()).toEqual(Object.keys(Object(newest)).toSorted())
    const taken = change.requestBody.content['application/json'].schema
    expect(Object.keys(taken.properties)).toEqual(expect.arrayContaining(['baseVersion', 'desired', 'reason', 'confirmCode']))
    expect(taken.required).toEqual(['desired', 'baseVersion'])
    expect(change.description).toContain('`confirmCode` must be the `code` of the record')
  })

  it('has the defaults of the ESS that the board stands at', async () => {
    expect((await maker.admin.get(path())).body.defaults).toMatchObject({
      cellVoltageMaxMv: 3_550,
      chargePowerLimitW: 5_000,
      timezone: 'Europe/Berlin',
      warningOverrides: [],
    })
  })
})
