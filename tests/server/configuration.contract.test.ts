import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Desired = Record<string, unknown>

describe.each(engines)('the configuration of a board on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let board: { id: string }
  let essId: string
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())
  beforeEach(async () => {
    const [ess, made] = [await maker.ess(), await maker.board()]
    await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: made.id, role: 'MAIN' })
    essId = ess.id
    board = made
  })

  const path = () => `control-pcb/${board.id}/configuration`
  const current = async () =>
    (await maker.admin.get(path())).body as { desired: Desired; desiredVersion: number; state: string }
  /** What a caller is answered who changes these values of the newest version. */
  const put = async (caller: Pick<Person, 'put'>, change: Desired, base?: number) => {
    const { desired, desiredVersion } = await current()
    return caller.put(path(), { baseVersion: base ?? desiredVersion, desired: { ...desired, ...change } })
  }

  it('counts its versions and keeps each of them', async () => {
    const before = await current()
    expect((await put(maker.admin, { socMinPct: 15 })).status).toBe(200)
    const after = await current()
    expect(after).toMatchObject({ desiredVersion: before.desiredVersion + 1, desired: { socMinPct: 15 }, state: 'PENDING' })
    expect((await maker.admin.get(path())).body.history).toMatchObject([{ version: 2 }, { version: 1 }])
  })

  it('is not written over an older version: the later one sees what there is now', async () => {
    await put(maker.admin, { socMinPct: 15 })
    const stale = await put(maker.admin, { socMinPct: 20 }, 1)
    expect(stale.status).toBe(409)
    expect(stale.body.current).toMatchObject({ desiredVersion: 2, desired: { socMinPct: 15 } })
    const { desired } = await current()
    const both = await Promise.all(
      [15, 25].map((socMinPct) => maker.admin.put(path(), { baseVersion: 2, desired: { ...desired, socMinPct } })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it.each<[string, Desired, string]>([
    ['out of its range', { reportIntervalS: 4 }, 'desired.reportIntervalS'],
    ['above what the system is rated for', { chargePowerLimitW: 5_001 }, 'desired.chargePowerLimitW'],
    ['that does not fit another', { socMinPct: 45, socMaxPct: 50 }, 'desired.socMaxPct'],
    ['no cell of this chemistry may have', { cellVoltageMaxMv: 3_700 }, 'desired.cellVoltageMaxMv'],
    ['of a mode that is not set', { manualPowerW: 100 }, 'desired.manualPowerW'],
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
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await maker.admin.put(`ess/${essId}/maintenance`, { until, reason: 'new cells' })
    expect((await put(engineer, danger)).status).toBe(200)
    expect((await put(maker.admin, { cellVoltageMaxMv: 3_650 })).status).toBe(200)
  })
})
