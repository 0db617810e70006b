import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { WarnedBoard } from '#tests/support/warned-board.ts'

const grid = (v: number, hz: number) => ({ gridVoltageL1V: v, gridVoltageL2V: v, gridVoltageL3V: v, gridFrequencyHz: hz })
const model = {
  manufacturer: 'Volt',
  model: 'Home 10',
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 10_240,
  ratedChargePowerW: 5_000,
  ratedDischargePowerW: 5_000,
}
type Ranges = { board: { ranges: Record<string, unknown> } }

describe.each(oneEngine(import.meta.filename))('the nominal grid of a site on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())

  const seen = async (warned: WarnedBoard, v: number, hz: number) => {
    for (const afterS of [0, 60, 60]) await warned.see(afterS, grid(v, hz))
    return (await warned.open()).filter(({ active }) => active).map(({ code, severity }) => [code, severity])
  }
  const rangesOf = async ({ board }: WarnedBoard) =>
    (await server.call<Ranges>('GET', `control-pcb/${board.id}/last-telemetry`)).body.board.ranges

  it('is 230 V and 50 Hz where neither the site nor its model says otherwise', async () => {
    const warned = await WarnedBoard.add(server)
    expect(await seen(warned, 230, 50)).toEqual([])
    expect(await seen(warned, 120, 60)).toEqual([
      ['GRID_FREQ', 'CRITICAL'],
      ['GRID_VOLT', 'CRITICAL'],
    ])
  })

  it('is its own: 120 V and 60 Hz raise no warning there, and the board page shows its ranges', async () => {
    const warned = await WarnedBoard.add(server)
    await server.rows(`update "ess" set "gridNominalV" = 120, "gridNominalHz" = 60 where "id" = '${warned.board.essId}'`)
    expect(await seen(warned, 120, 60)).toEqual([])
    expect(await rangesOf(warned)).toMatchObject({ GRID_VOLT: { low: 108, high: 132 }, GRID_FREQ: { low: 59.4, high: 60.6 } })
    expect(await seen(warned, 230, 50)).toEqual([
      ['GRID_FREQ', 'CRITICAL'],
      ['GRID_VOLT', 'CRITICAL'],
    ])
  })

  it('is that of the model where the site says nothing, and a model is of 230 V and 50 Hz unless it says otherwise', async () => {
    const { body: usual } = await server.call('POST', 'ess-model', { body: model })
    expect(usual).toMatchObject({ gridNominalV: 230, gridNominalHz: 50 })
    const { body: other } = await server.call('POST', 'ess-model', {
      body: { ...model, model: 'Home 10 US', gridNominalV: 120, gridNominalHz: 60 },
    })
    const warned = await WarnedBoard.add(server)
    await server.rows(`update "ess" set "essModelId" = '${other.id}' where "id" = '${warned.board.essId}'`)
    expect(await seen(warned, 120, 60)).toEqual([])
  })

  it('has the phases of the nameplate, and what a board reports of others is no voltage', async () => {
    const onePhase = { gridVoltageL1V: 230, gridVoltageL2V: 0, gridVoltageL3V: 0, gridFrequencyHz: 50 }
    const watch = async (gridPhases: number | null) => {
      const warned = await WarnedBoard.add(server)
      await server.rows(`update "ess" set "gridPhases" = ${gridPhases} where "id" = '${warned.board.essId}'`)
      for (const afterS of [0, 60, 60]) await warned.see(afterS, onePhase)
      return (await warned.open()).map(({ code, value }) => [code, value])
    }
    expect(await watch(1)).toEqual([])
    expect(await watch(2)).toEqual([['GRID_VOLT', 0]])
    expect(await watch(3)).toEqual([['GRID_VOLT', 0]])
    expect(await watch(null)).toEqual([['GRID_VOLT', 0]])
  })

  it('is between 100 V and 277 V, of 50 Hz or 60 Hz', async () => {
    const refusedWith = async (body: object) => {
      const answer = await server.call('POST', 'ess-model', { body: { ...model, model: 'Odd', ...body } })
      return [answer.status, Object.keys(Object(answer.body.fields))]
    }
    expect(await refusedWith({ gridNominalV: 99 })).toEqual([400, ['gridNominalV']])
    expect(await refusedWith({ gridNominalHz: 55 })).toEqual([400, ['gridNominalHz']])
  })
})
