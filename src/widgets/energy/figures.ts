import { dayMs } from '#schema/format/durations.ts'
import { isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import { type LastTelemetry, numberAt, settingOf } from './last-telemetry.ts'
import { grownSince, type SeriesByName } from './series.ts'

/** Flows below this are noise, in W. */
const leastW = 10

/** The four powers of a site in W, with the signs of the domain: + = discharge, import. */
export type Powers = Readonly<Record<'pvPowerW' | 'batteryPowerW' | 'gridPowerW' | 'loadPowerW', number | null>>

export const powersOf = (last: LastTelemetry): Powers => ({
  pvPowerW: numberAt(last, 'pvPowerW'),
  batteryPowerW: numberAt(last, 'batteryPowerW'),
  gridPowerW: numberAt(last, 'gridPowerW'),
  loadPowerW: numberAt(last, 'loadPowerW'),
})

/** Flow direction on a line: in, out, or none. */
export type Direction = 'in' | 'out' | 'none'

/** Flow on a line: direction, and share of the strongest line. */
export type Flow = { direction: Direction; share: number }

/** Sign of a positive power relative to the diagram's centre: the load consumes what the others supply. */
const toMiddle: Readonly<Record<keyof Powers, 1 | -1>> = { pvPowerW: 1, batteryPowerW: 1, gridPowerW: 1, loadPowerW: -1 }

export function flowsOf(powers: Powers): Record<keyof Powers, Flow> {
  const strongest = Math.max(leastW, ...Object.values(powers).map((power) => Math.abs(power ?? 0)))
  const flow = (name: keyof Powers): Flow => {
    const power = (powers[name] ?? 0) * toMiddle[name]
    if (Math.abs(power) < leastW) return { direction: 'none', share: 0 }
    return { direction: power > 0 ? 'in' : 'out', share: Math.abs(power) / strongest }
  }
  return {
    pvPowerW: flow('pvPowerW'),
    batteryPowerW: flow('batteryPowerW'),
    gridPowerW: flow('gridPowerW'),
    loadPowerW: flow('loadPowerW'),
  }
}

/** Seconds until the battery reaches its reserve at the current load; null when unknown. */
export function autonomyS(last: LastTelemetry): number | null {
  const [energyWh, socPct, loadW] = ['energyAvailableWh', 'socPct', 'loadPowerW'].map((name) => numberAt(last, name))
  const reservePct = settingOf(last, 'backupReservePct')
  if (energyWh == null || socPct == null || !loadW || loadW < leastW || reservePct === null) return null
  if (energyWh === 0 || socPct === 0) return 0
  return Math.max(0, Math.round((energyWh * (1 - reservePct / socPct) * 3600) / loadW))
}

/** Energy of a site since a time, in Wh, with the self-sufficiency. */
export type Day = Readonly<Record<'pvWh' | 'loadWh' | 'importWh' | 'exportWh' | 'selfPct', number | null>>

/** Start of the day in the site's zone. */
export function midnightMs(zone: string | undefined, nowMs: number): number {
  const today = localFromIso(new Date(nowMs).toISOString(), zone).slice(0, 10)
  return Date.parse(isoFromLocal(today, zone) ?? today)
}

/** Time since midnight, at least 24 hours: when clocks go back, midnight may be 25 hours ago. */
export const daySpanMs = (zone: string | undefined, nowMs: number): number => Math.max(dayMs, nowMs - midnightMs(zone, nowMs))

export const dayChannels = ['pvEnergyWh', 'loadEnergyWh', 'gridImportEnergyWh', 'gridExportEnergyWh'] as const

/** Share of the load not supplied by the grid (self-sufficiency). */
export const selfPctOf = ({ loadWh, importWh }: Pick<Day, 'loadWh' | 'importWh'>): number | null =>
  loadWh && importWh !== null ? Math.max(0, 100 * (1 - importWh / loadWh)) : null

export function dayOf(series: SeriesByName, sinceMs: number): Day {
  const [pvWh = null, loadWh = null, importWh = null, exportWh = null] = dayChannels.map((name) =>
    grownSince(series[name], sinceMs),
  )
  return { pvWh, loadWh, importWh, exportWh, selfPct: selfPctOf({ loadWh, importWh }) }
}
