import { describe, expect, it } from 'vitest'
import type { FaultKind } from '#server/demo/simulator/faults.ts'
import type { Seen } from '#server/demo/simulator/running-plant.ts'
import { dayNumber, home, minutesOf, seasons } from './plants.ts'

const dayMs = 86_400_000
const during = (kind: FaultKind, from: string, days: number) => {
  const fromMs = dayNumber(from) * dayMs
  return [{ kind, fromMs, toMs: fromMs + days * dayMs }]
}
const number = (seen: Seen, name: keyof Seen['readings']) => Number(seen.readings[name])
const most = (minutes: readonly Seen[], measure: (seen: Seen) => number) => Math.max(...minutes.map(measure))

describe('a fault', () => {
  it('of heat brings an aged pack to the warning, and derating keeps it from the alarm', () => {
    const faults = during('HEAT', seasons.winter, 7)
    const minutes = minutesOf({ site: home, from: seasons.winter, days: 7, faults })
    const hottest = most(minutes, (seen) => number(seen, 'cellTempMaxC'))
    expect(hottest).toBeGreaterThan(45)
    expect(hottest).toBeLessThan(55)
  })

  it('of one cell shows at low charge, and nowhere else', () => {
    const faults = during('WEAK_CELL', seasons.spring, 7)
    const minutes = minutesOf({ site: home, from: seasons.spring, days: 7, faults, configuration: {} })
    const delta = (seen: Seen) => number(seen, 'cellVoltageMaxMv') - number(seen, 'cellVoltageMinMv')
    const low = minutes.filter(({ state: { socPct } }) => socPct > 15 && socPct < 18)
    const high = minutes.filter(({ state: { socPct } }) => socPct > 60 && socPct < 90)
    expect(most(low, delta)).toBeGreaterThan(80)
    expect(most(high, delta)).toBeLessThan(30)
    expect(new Set(low.map(({ readings }) => readings.cellVoltageMinPos)).size).toBe(1)
  })

  it('of the grid leaves the house to its battery: nothing is drawn nor given', () => {
    const fromMs = dayNumber(seasons.spring) * dayMs + 10 * 3_600_000
    const faults = [{ kind: 'GRID_OUTAGE' as const, fromMs, toMs: fromMs + 3_600_000 }]
    const minutes = minutesOf({ site: home, from: seasons.spring, days: 1, faults })
    const dark = minutes.filter(({ readings }) => readings.gridMode === 'OFF_GRID')
    expect(dark).toHaveLength(60)
    expect(most(dark, ({ minute }) => Math.abs(minute.gridW))).toBeLessThanOrEqual(1)
    expect(most(minutes, ({ minute: { loadW, pvW, batteryW, gridW } }) => Math.abs(loadW - pvW - batteryW - gridW))).toBe(0)
  })
})

describe('a configuration', () => {
  it('is obeyed: lowest charge, limits, standby, a mode for some hours', () => {
    const minutes = (configuration: Record<string, unknown>) =>
      minutesOf({ site: home, from: seasons.summer, days: 2, configuration })
    const least = Math.min(
      ...minutes({ socMinPct: 30 })
        .slice(1_440)
        .map(({ state }) => state.socPct),
    )
    expect(least).toBeGreaterThanOrEqual(29.9)
    expect(
      most(minutes({ chargePowerLimitW: 1_000, dischargePowerLimitW: 800 }), ({ minute }) => minute.batteryW),
    ).toBeLessThanOrEqual(800)
    expect(most(minutes({ gridExportLimitW: 500 }), ({ minute }) => -minute.gridW)).toBeLessThanOrEqual(501)
    expect(most(minutes({ operatingMode: 'STANDBY' }), ({ minute }) => Math.abs(minute.batteryW))).toBe(0)
    const schedule = [{ days: ['1', '2', '3', '4', '5', '6', '7'], from: '12:00', to: '13:00', mode: 'STANDBY' }]
    const noon = minutes({ schedule }).filter(({ timeMs }) => new Date(timeMs - 60_000).getUTCHours() === 9)
    expect(most(noon, ({ minute }) => Math.abs(minute.batteryW))).toBe(0)
  })
})
