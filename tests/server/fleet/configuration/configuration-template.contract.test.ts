import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configurationFields, templateFields } from '#resources/shared/configuration.ts'
import { dangersOf } from '#schema/field-types.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker, type Person, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Values = Record<string, unknown>

let count = 0

describe.each(oneEngine(import.meta.filename))('a configuration template on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let essId: string
  let board: { id: string }
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  async function attached(facts: Values = {}): Promise<{ board: { id: string }; essId: string }> {
    const [ess, made] = [await maker.ess({ cellsInSeries: 16, gridConnectionLimitW: 11_000, ...facts }), await maker.board()]
    await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: made.id, role: 'MAIN' })
    return { board: made, essId: ess.id }
  }
  beforeEach(async () => {
    const made = await attached()
    board = made.board
    essId = made.essId
  })

  const facts = (settings: Values, more: Values = {}) => ({ code: `WINTER-${++count}`, name: 'Winter', settings, ...more })
  const template = (settings: Values, more: Values = {}) => maker.made('configuration-template', facts(settings, more))
  const apply = (caller: Pick<Person, 'put'>, templateId: string, more: Values = {}, id = board.id) =>
    caller.put(`control-pcb/${id}/apply-template`, { templateId, ...more })
  const current = async (id = board.id) =>
    (await maker.admin.get(`control-pcb/${id}/configuration`)).body as {
      desired: Values
      desiredVersion: number
      history: Values[]
    }
  const shown = async (id = board.id) => (await maker.admin.get(`control-pcb/${id}`)).body
  const faultsOf = ({ status, body }: { status: number; body: Values }) => [status, Object.keys(Object(body.fields)).toSorted()]

  it('holds the settings of the board’s form with its bounds and dangers, but for those of one place or moment', () => {
    expect(Object.keys(configurationFields).filter((name) => !(name in templateFields))).toEqual([
      'timezone',
      'rawCaptureUntil',
    ])
    expect(dangersOf(templateFields)).toEqual(dangersOf(configurationFields))
    for (const [name, field] of Object.entries(templateFields)) {
      expect(field).not.toHaveProperty('required')
      expect({ ...Object(configurationFields)[name], ...field }).toEqual(Object(configurationFields)[name])
    }
  })

  it('changes what it holds and leaves the rest of the board as it is', async () => {
    await maker.admin.put(`control-pcb/${board.id}/configuration`, {
      baseVersion: 1,
      desired: {
        ...(await current()).desired,
        socMinPct: 15,
        schedule: [{ days: ['1'], from: '01:00', to: '02:00', mode: 'BACKUP' }],
      },
    })
    const { id, code } = await template({ reportIntervalS: 120, operatingMode: 'BACKUP', schedule: [] })
    const before = (await current()).desired
    expect((await apply(maker.admin, id, { reason: 'winter' })).status).toBe(200)
    const after = await current()
    expect(after).toMatchObject({ desiredVersion: 3, history: [{ version: 3, reason: `${code}: winter` }, {}, {}] })
    expect(after.desired).toEqual({ ...before, reportIntervalS: 120, operatingMode: 'BACKUP' })
  })

  it('is told of on its boards, with those that differ by now', async () => {
    const { id } = await template({ socMinPct: 15 })
    const other = await attached()
    for (const one of [board.id, other.board.id]) expect((await apply(maker.admin, id, {}, one)).status).toBe(200)
    expect(await shown()).toMatchObject({ templateId: id, templateState: 'FOLLOWS', config: { state: 'PENDING' } })
    const { desired } = await current()
    await maker.admin.put(`control-pcb/${board.id}/configuration`, { baseVersion: 2, desired: { ...desired, socMinPct: 20 } })
    expect(await shown()).toMatchObject({ templateId: id, templateState: 'DIFFERS' })
    expect((await maker.admin.get(`configuration-template/${id}`)).body).toMatchObject({ boards: 2, differing: 1 })
    const differing = await maker.admin.get(`control-pcb?templateId=${id}&templateState=DIFFERS`)
    expect(rowsOf(differing).map((row) => row.id)).toEqual([board.id])
    expect((await apply(maker.admin, id)).status).toBe(200)
    expect(await shown()).toMatchObject({ templateState: 'FOLLOWS' })
  })

  it('differs from its boards once it is changed itself, until it is applied again', async () => {
    const { id, version } = await template({ socMinPct: 15 })
    await apply(maker.admin, id)
    const settings = { socMinPct: 15, socMaxPct: 95 }
    expect((await maker.admin.put(`configuration-template/${id}`, { version, settings })).status).toBe(200)
    expect(await shown()).toMatchObject({ templateState: 'DIFFERS' })
  })

  it.each<[string, Values, string[]]>([
    ['out of the range of its field', { reportIntervalS: 4 }, ['settings.reportIntervalS']],
    ['that contradict each other', { socMinPct: 45, socMaxPct: 50 }, ['settings.socMaxPct']],
    ['of a power in a mode that is not set', { manualPowerW: 100, operatingMode: 'BACKUP' }, ['settings.manualPowerW']],
    [
      'of a schedule by hand without a power',
      { schedule: [{ days: ['1'], from: '18:00', to: '20:00', mode: 'MANUAL' }] },
      ['settings.schedule.0.powerW'],
    ],
    ['of none at all', {}, ['settings']],
  ])('is not written with settings %s', async (_what, settings, faults) => {
    expect(faultsOf(await maker.admin.post('configuration-template', facts(settings)))).toEqual([400, faults])
  })

  it('is held against the nameplate of its model where it is written', async () => {
    const model = await maker.made('ess-model', {
      manufacturer: 'M',
      model: `Home ${++count}`,
      profile: 'HOME',
      chemistry: 'LFP',
      ratedEnergyWh: 10_000,
      ratedChargePowerW: 5_000,
      ratedDischargePowerW: 5_000,
      cellsInSeries: 16,
    })
    const settings = {
      chargePowerLimitW: 5_001,
      cellVoltageMaxMv: 3_700,
      schedule: [{ days: ['1'], from: '18:00', to: '20:00', mode: 'MANUAL', powerW: -900_000 }],
    }
    expect(faultsOf(await maker.admin.post('configuration-template', facts(settings, { essModelId: model.id })))).toEqual([
      400,
      ['settings.cellVoltageMaxMv', 'settings.chargePowerLimitW', 'settings.schedule.0.powerW'],
    ])
  })

  it.each<[string, Values, string[]]>([
    ['a limit above the rated power', { chargePowerLimitW: 5_001 }, ['settings.chargePowerLimitW']],
    ['a power by hand above it', { operatingMode: 'MANUAL', manualPowerW: -5_001 }, ['confirmCode', 'settings.manualPowerW']],
    [
      'a scheduled power far above it',
      { schedule: [{ days: ['1'], from: '18:00', to: '20:00', mode: 'MANUAL', powerW: -900_000 }] },
      ['confirmCode', 'settings.schedule.0.powerW'],
    ],
    ['a limit above what the grid connection carries', { gridImportLimitW: 11_001 }, ['settings.gridImportLimitW']],
    [
      'a cell voltage that its chemistry may not have',
      { cellVoltageMaxMv: 3_700 },
      ['confirmCode', 'settings.cellVoltageMaxMv'],
    ],
    ['a charge that does not fit what the board keeps', { socMaxPct: 50, socMinPct: 40, backupReservePct: 45 }, []],
    ['a reserve below the charge that the board keeps', { backupReservePct: 5 }, ['settings.backupReservePct']],
  ])('is applied within the bounds of the system only: %s', async (_what, settings, faults) => {
    const { id } = await template(settings)
    const answer = await apply(maker.admin, id)
    expect(faultsOf(answer)).toEqual([faults.length > 0 ? 400 : 200, faults])
    expect((await current()).desiredVersion).toBe(faults.length > 0 ? 1 : 2)
  })

  it('takes the same right as the form of the board where it can hurt, and its code typed', async () => {
    const { id, code } = await template({ cellVoltageMaxMv: 3_600 })
    const [moderator, engineer] = [await maker.person('moderator'), await maker.person('service_engineer')]
    expect((await apply(engineer, id, { confirmCode: code })).status).toBe(403)
    await maker.assign(essId, engineer)
    for (const person of [moderator, engineer])
      expect(faultsOf(await apply(person, id, { confirmCode: code }))).toEqual([403, ['settings.cellVoltageMaxMv']])
    for (const confirmCode of [undefined, 'PCB-000000'])
      expect(faultsOf(await apply(maker.admin, id, { confirmCode }))).toEqual([400, ['confirmCode']])
    expect((await apply(maker.admin, id)).body.fields).toEqual({
      confirmCode: 'Type it to confirm: a protective limit changes (Highest cell voltage)',
    })
    expect((await current()).desiredVersion).toBe(1)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await maker.admin.put(`ess/${essId}/maintenance`, { until, reason: 'new cells' })
    expect((await apply(engineer, id, { confirmCode: code })).status).toBe(200)
    // It is there already: nothing that can hurt changes.
    expect((await apply(moderator, id)).status).toBe(200)
  })

  it('fits boards of its product and model only', async () => {
    const gateway = await template({ socMinPct: 15 }, { product: 'ESS-LINK' })
    expect(faultsOf(await apply(maker.admin, gateway.id))).toEqual([400, ['templateId']])
    const nameplate = {
      profile: 'HOME',
      chemistry: 'LFP',
      ratedEnergyWh: 10_000,
      ratedChargePowerW: 5_000,
      ratedDischargePowerW: 5_000,
    }
    const model = await maker.made('ess-model', { manufacturer: 'M', model: `Home ${++count}`, ...nameplate })
    const ofModel = await template({ socMinPct: 15 }, { essModelId: model.id })
    expect(faultsOf(await apply(maker.admin, ofModel.id))).toEqual([400, ['templateId']])
    const fitting = await attached({ essModelId: model.id })
    expect((await apply(maker.admin, ofModel.id, {}, fitting.board.id)).status).toBe(200)
  })

  it('is written by admins, applied by the staff of the fleet, and leaves its boards as they are when it is deleted', async () => {
    const moderator = await maker.person('moderator')
    expect((await moderator.post('configuration-template', facts({ socMinPct: 15 }))).status).toBe(403)
    const { id } = await template({ socMinPct: 15 })
    expect((await apply(moderator, id)).status).toBe(200)
    expect((await apply(await maker.person('client'), id)).status).toBe(403)
    expect((await maker.admin.delete(`configuration-template/${id}`)).status).toBeLessThan(300)
    expect(await shown()).toMatchObject({ templateId: null, templateState: null, config: { desiredVersion: 2 } })
  })
})
