import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker, type Person } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Desired = Record<string, unknown>

const night = { days: ['1'], from: '22:00', to: '06:00', mode: 'BACKUP' }
const sale = (powerW: number | null) => ({ days: ['1'], from: '18:00', to: '20:00', mode: 'MANUAL', powerW })

describe.each(oneEngine(import.meta.filename))('the schedule of a board at a site of 5 kW on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let board: { id: string; code?: unknown }
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())
  beforeEach(async () => {
    const [ess, made] = [await maker.ess({ cellsInSeries: 16, gridConnectionLimitW: 11_000 }), await maker.board()]
    await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: made.id, role: 'MAIN' })
    board = made
  })

  const path = () => `control-pcb/${board.id}/configuration`
  async function put(caller: Pick<Person, 'put'>, change: Desired, more: object = {}) {
    const { desired, desiredVersion } = (await maker.admin.get(path())).body
    const { status, body } = await caller.put(path(), {
      baseVersion: desiredVersion,
      desired: { ...Object(desired), ...change },
      ...more,
    })
    return [status, Object.keys(Object(body.fields))]
  }
  const surely = () => ({ confirmCode: board.code })

  it.each<[string, Desired, string]>([
    ['of 900 kW', { schedule: [sale(-900_000)] }, 'powerW'],
    ['above what the system is rated for', { schedule: [sale(5_001)] }, 'powerW'],
    ['above the limit that is set', { dischargePowerLimitW: 2_000, schedule: [sale(2_001)] }, 'powerW'],
    ['that no board can know', { schedule: [sale(null)] }, 'powerW'],
    ['in another mode beyond the system', { schedule: [{ ...night, powerW: -5_001 }] }, 'powerW'],
  ])('takes no power %s', async (_what, change, field) => {
    expect(await put(maker.admin, change, surely())).toEqual([400, [`desired.schedule.0.${field}`]])
  })

  it('takes no target outside the charge', async () => {
    const change = { schedule: [{ ...night, targetSocPct: 5 }] }
    expect(await put(maker.admin, change)).toEqual([400, ['desired.schedule.0.targetSocPct']])
    expect((await put(maker.admin, { schedule: [{ ...night, targetSocPct: 80 }] }))[0]).toBe(200)
  })

  it('can hurt by a power within the bounds: never without the typed code, nor by a moderator', async () => {
    const moderator = await maker.person('moderator')
    expect(await put(maker.admin, { schedule: [sale(4_000)] })).toEqual([400, ['confirmCode']])
    expect(await put(moderator, { schedule: [sale(4_000)] }, surely())).toEqual([403, ['desired.schedule']])
    expect((await put(maker.admin, { schedule: [sale(4_000)] }, surely()))[0]).toBe(200)
    expect((await put(moderator, { schedule: [sale(4_000), night] }))[0]).toBe(200)
    expect(await put(moderator, { schedule: [night] })).toEqual([403, ['desired.schedule']])
  })
})
