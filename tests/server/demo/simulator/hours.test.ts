import { describe, expect, it } from 'vitest'
import { hoursOf } from '#server/demo/past/hours.ts'
import { pastFaults, pastWarnings } from '#server/demo/past/warnings.ts'
import { Random } from '#server/demo/random.ts'
import { type Cast, randomFaults, unrestEveryMs } from '#server/demo/simulator/demo-script.ts'
import { operationOf } from '#server/demo/simulator/operation.ts'
import { plantOf, type Site } from '#server/demo/simulator/plant.ts'
import { RunningPlant } from '#server/demo/simulator/running-plant.ts'
import { dayNumber, home, minutesOf, seasons, warehouse } from './plants.ts'

const dayMs = 86_400_000
const operation = operationOf({ operatingMode: 'TIME_OF_USE' })

function run(site: Site, from: string, days: number) {
  const plant = plantOf(site)
  const day = dayNumber(from)
  const first = RunningPlant.firstCheckpoint(plant, day)
  const hours = [...hoursOf({ plant, from: first, toDay: day + days, operation })]
  const grown = (name: 'pvWh' | 'loadWh' | 'dischargeWh') => hours.reduce((sum, { growth }) => sum + growth[name], 0)
  return { hours, first, grown }
}

describe('a plant by the hour', () => {
  for (const site of [home, warehouse])
    it(`comes close to the sums of its minutes: ${site.profile}`, () => {
      const { grown, first } = run(site, seasons.spring, 30)
      const last = minutesOf({ site, from: seasons.spring, days: 30 }).at(-1)
      for (const name of ['pvWh', 'loadWh', 'dischargeWh'] as const) {
        const exact = Number(last?.state.counters[name]) - first.state.counters[name]
        expect(grown(name) / exact, name).toBeGreaterThan(0.75)
        expect(grown(name) / exact, name).toBeLessThan(1.25)
      }
    })

  it('gives more sun in summer than in winter, and balances every hour', () => {
    expect(run(home, seasons.summer, 10).grown('pvWh')).toBeGreaterThan(2 * run(home, seasons.winter, 10).grown('pvWh'))
    for (const { readings } of run(home, seasons.spring, 5).hours) {
      const { loadPowerW, pvPowerW, batteryPowerW, gridPowerW } = readings
      expect(Number(loadPowerW) - Number(pvPowerW) - Number(batteryPowerW) - Number(gridPowerW)).toBe(0)
      expect(Number(readings.socPct)).toBeGreaterThanOrEqual(operation.socMinPct)
    }
  })
})

describe('warnings of the past', () => {
  const cast = Array.from(
    { length: 40 },
    (_, index): Cast => ({
      id: `b${index}`,
      code: `PCB-${index}`,
      essId: `e${index}`,
      attachedMs: 0,
      role: 'MAIN',
      profile: 'HOME',
      silentSinceMs: null,
      hasBadData: false,
    }),
  )
  const nowMs = Date.parse('2026-11-25T12:00:00Z')
  const crew = { engineerOf: new Map<string, string>(), office: ['admin'] }
  const boards = new Map(cast.map((board) => [board.id, board]))
  const faultsFrom = (fromMs: number, toMs: number) =>
    Array.from({ length: Math.round((toMs - fromMs) / unrestEveryMs) }, (_, index) =>
      randomFaults(cast, 1, Math.ceil(fromMs / unrestEveryMs) + index),
    ).flat()

  it('come at the rate of those that the fleet goes on to raise', () => {
    const past = pastFaults(cast, 1, { fromMs: nowMs - 30 * dayMs, nowMs }).length
    const ahead = faultsFrom(nowMs, nowMs + 30 * dayMs).length
    expect(past / ahead).toBeGreaterThan(0.8)
    expect(past / ahead).toBeLessThan(1.25)
    const warnings = pastWarnings({ random: new Random(1), nowMs, crew, boards }, faultsFrom(nowMs - 30 * dayMs, nowMs))
    expect(warnings.length / past).toBeGreaterThan(0.7)
    expect(warnings.length / past).toBeLessThan(1.3)
  })

  it('say nothing of a board before it was attached and since it is silent', () => {
    const silent = cast.map((board) => ({ ...board, attachedMs: nowMs - 20 * dayMs, silentSinceMs: nowMs - 10 * dayMs }))
    const faults = pastFaults(silent, 1, { fromMs: nowMs - 30 * dayMs, nowMs })
    expect(faults.length).toBeGreaterThan(10)
    for (const { fromMs, toMs } of faults) {
      expect(fromMs).toBeGreaterThan(nowMs - 20 * dayMs)
      expect(toMs).toBeLessThan(nowMs - 10 * dayMs)
    }
  })
})
