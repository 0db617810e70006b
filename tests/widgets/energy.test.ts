import { describe, expect, it } from 'vitest'
import { isOutside, normalRange } from '#widgets/board/normal-range.ts'
import { autonomyS, dayOf, daySpanMs, flowsOf, midnightMs } from '#widgets/energy/figures.ts'
import { flowText } from '#widgets/energy/flow-diagram.tsx'
import { type LastTelemetry, readLastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { grownSince, readSeries } from '#widgets/energy/series.ts'

const lastOf = (values: Record<string, number | string | null>, configuration: Record<string, unknown> = {}): LastTelemetry => {
  const channels = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, unit: null, quality: 'GOOD' }]),
  )
  const read = readLastTelemetry({
    at: '2026-03-02T12:00:00.000Z',
    stale: false,
    channels,
    board: { id: 'b', code: 'PCB-1', cause: 'OK', configuration },
  })
  if (!read) throw new Error('not read')
  return read
}
const powers = { pvPowerW: 2_000, batteryPowerW: -1_500, gridPowerW: 0, loadPowerW: 500 }

describe('the energy flow', () => {
  it('runs into the middle from what gives, out of it to what takes, and stands still below 10 W', () => {
    expect(flowsOf(powers)).toEqual({
      pvPowerW: { direction: 'in', share: 1 },
      batteryPowerW: { direction: 'out', share: 0.75 },
      gridPowerW: { direction: 'none', share: 0 },
      loadPowerW: { direction: 'out', share: 0.25 },
    })
    expect(flowsOf({ ...powers, gridPowerW: -40, pvPowerW: null })).toMatchObject({
      gridPowerW: { direction: 'out' },
      pvPowerW: { direction: 'none' },
    })
  })

  it('is told in words, signs included, in both languages', () => {
    expect(flowText({ ...powers, gridPowerW: null }, 'en')).toBe(
      'Solar: 2.00 kW. Grid: no value. Load: 500 W. Battery: charging 1.50 kW.',
    )
    expect(flowText(powers, 'ru')).toBe('Солнце: 2,00 кВт. Сеть: 0 Вт. Нагрузка: 500 Вт. Батарея: заряд 1,50 кВт.')
  })
})

describe('what the battery lasts', () => {
  const values = { energyAvailableWh: 6_000, socPct: 60, loadPowerW: 1_000 }

  it('is the energy above the reserve over the load', () => {
    expect(autonomyS(lastOf(values, { backupReservePct: 20 }))).toBe(4 * 3600)
    expect(autonomyS(lastOf({ ...values, socPct: 15 }, { backupReservePct: 20 }))).toBe(0)
  })

  it('is nothing once nothing is stored', () => {
    expect(autonomyS(lastOf({ ...values, energyAvailableWh: 0 }, { backupReservePct: 20 }))).toBe(0)
    expect(autonomyS(lastOf({ ...values, socPct: 0 }, { backupReservePct: 20 }))).toBe(0)
  })

  it('is not told where something of it is not known', () => {
    expect(autonomyS(lastOf({ ...values, loadPowerW: 0 }, { backupReservePct: 20 }))).toBeNull()
    expect(autonomyS(lastOf({ ...values, socPct: null }, { backupReservePct: 20 }))).toBeNull()
    expect(autonomyS(lastOf(values))).toBeNull()
  })
})

describe('the day of a site', () => {
  const series = readSeries({
    series: {
      pvEnergyWh: { t: [0, 10, 20], avg: [100, null, 50] },
      loadEnergyWh: { t: [0, 10, 20], avg: [300, 200, 200] },
      gridImportEnergyWh: { t: [0, 10, 20], avg: [200, 100, 0] },
      gridExportEnergyWh: { t: [], avg: [] },
    },
  })

  it('is what its counters grew by since midnight', () => {
    expect(dayOf(series ?? {}, 10)).toEqual({ pvWh: 50, loadWh: 400, importWh: 100, exportWh: null, selfPct: 75 })
    expect(grownSince(series?.loadEnergyWh, 0)).toBe(700)
  })

  it('is asked for from midnight on, also on the day of 25 hours', () => {
    const nowMs = Date.parse('2026-10-25T22:50:00Z')
    expect(new Date(midnightMs('Europe/Berlin', nowMs)).toISOString()).toBe('2026-10-24T22:00:00.000Z')
    expect(nowMs - daySpanMs('Europe/Berlin', nowMs)).toBe(midnightMs('Europe/Berlin', nowMs))
    expect(daySpanMs('Europe/Berlin', Date.parse('2026-10-26T10:00:00Z'))).toBe(24 * 3_600_000)
  })

  it('has no share of its own where it used nothing, and no negative one', () => {
    expect(dayOf({}, 0).selfPct).toBeNull()
    expect(dayOf({ loadEnergyWh: { t: [1], avg: [10] }, gridImportEnergyWh: { t: [1], avg: [30] } }, 0).selfPct).toBe(0)
  })
})

describe('the normal range of a channel', () => {
  const configuration = {
    cellVoltageMinMv: 2900,
    cellVoltageMaxMv: 3550,
    chargeTempMinC: 0,
    chargeTempMaxC: 50,
    dischargeTempMinC: -10,
    dischargeTempMaxC: 55,
  }

  it('is what the board was told to keep to', () => {
    const last = lastOf({ batteryPowerW: 100, chargeCurrentLimitA: 90, dischargeCurrentLimitA: 100 }, configuration)
    expect(normalRange('cellVoltageMaxMv', last)).toEqual({ low: 2900, high: 3550 })
    expect(normalRange('cellTempMaxC', last)).toEqual({ low: -10, high: 55 })
    expect(normalRange('cellTempMaxC', lastOf({ batteryPowerW: -100 }, configuration))).toEqual({ low: 0, high: 50 })
    expect(normalRange('batteryCurrentA', last)).toEqual({ low: -90, high: 100 })
    expect(normalRange('gridPowerW', last)).toBeUndefined()
    expect(normalRange('uptimeS', last)).toBeUndefined()
  })

  it('is left by values beyond its bounds, not by those on them', () => {
    expect([206.9, 207, 253, 253.1].map((volts) => isOutside(volts, { low: 207, high: 253 }))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(isOutside(-1e9, { low: null, high: 80 })).toBe(false)
  })
})

it('takes nothing for telemetry that is none', () => {
  expect(readLastTelemetry({ message: 'no' })).toBeUndefined()
  expect(readLastTelemetry({ channels: {}, at: null })).toMatchObject({ at: null, stale: true, board: null })
  expect(readSeries([])).toBeUndefined()
})
