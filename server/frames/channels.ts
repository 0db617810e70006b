import { batteryA, batteryW, cellMv, gridW, loadW, packV, pvW, storedWh } from './site-facts.ts'
import type { Limits, WireField } from './wire-field.ts'

const fixed = (min: number, max: number) => (): Limits => [min, max]
const share = fixed(0, 100)
const celsius = fixed(-40, 100)
const volts = fixed(0, 300)
const amperes = fixed(0, 10_000)

/** How a channel becomes one value of a longer time: see `rollUp` of a channel. */
export type RollUp = 'mean' | 'counter' | 'state' | 'flags' | 'none'

/**
 * What a board measures. `rollUp`: `mean` = time-weighted mean with the extremes, `counter` = what it grew by, `state` = the last one,
 * `flags` = all that were set, `none` = kept in samples only. `sensor`: stands still only when it is broken. `lifetime`: never falls.
 */
type Channel = WireField & { rollUp: RollUp; sensor?: true; lifetime?: true }

/** What a board tells of itself at the head of every payload; the channels among it are part of a sample, too. */
export const statusFields = [
  { name: 'firmwareVersion', kind: 'version' },
  { name: 'transport', kind: 'code', options: ['LTE', 'WIFI', 'ETH'] },
  { name: 'resetReason', kind: 'code', options: ['POWER_ON', 'BROWNOUT', 'WATCHDOG', 'SOFTWARE', 'FW_UPDATE'] },
  { name: 'rebootCount', kind: 'u16' },
  { name: 'uptimeS', kind: 'u32', unit: 's', rollUp: 'mean' },
  { name: 'rssiDbm', kind: 'i16', unit: 'dBm', limits: fixed(-140, 0), rollUp: 'mean' },
  { name: 'supplyMv', kind: 'u16', unit: 'mV', limits: fixed(0, 60_000), rollUp: 'mean' },
  { name: 'boardTempC', kind: 'i16', digits: 1, unit: '°C', limits: fixed(-40, 125), rollUp: 'mean' },
  { name: 'freeHeapB', kind: 'u32' },
] as const satisfies readonly (WireField & { rollUp?: RollUp })[]

/** The rest of a telemetry payload, in the order of its bytes. Appending a row here and a column in a migration adds a channel. */
export const measuredFields = [
  { name: 'socPct', kind: 'u16', digits: 1, unit: '%', limits: share, rollUp: 'mean' },
  { name: 'sohPct', kind: 'u16', digits: 1, unit: '%', limits: share, rollUp: 'mean' },
  { name: 'batteryPowerW', kind: 'i32', unit: 'W', limits: batteryW, rollUp: 'mean' },
  { name: 'batteryVoltageV', kind: 'u32', digits: 2, unit: 'V', limits: packV, rollUp: 'mean', sensor: true },
  { name: 'batteryCurrentA', kind: 'i32', digits: 2, unit: 'A', limits: batteryA, rollUp: 'mean' },
  { name: 'energyAvailableWh', kind: 'u32', unit: 'Wh', limits: storedWh, rollUp: 'mean' },
  { name: 'cellVoltageMinMv', kind: 'u16', unit: 'mV', limits: cellMv, rollUp: 'mean', sensor: true },
  { name: 'cellVoltageAvgMv', kind: 'u16', unit: 'mV', limits: cellMv, rollUp: 'mean', sensor: true },
  { name: 'cellVoltageMaxMv', kind: 'u16', unit: 'mV', limits: cellMv, rollUp: 'mean', sensor: true },
  { name: 'cellVoltageMinPos', kind: 'place', rollUp: 'none' },
  { name: 'cellVoltageMaxPos', kind: 'place', rollUp: 'none' },
  { name: 'cellTempMinC', kind: 'i16', digits: 1, unit: '°C', limits: celsius, rollUp: 'mean', sensor: true },
  { name: 'cellTempAvgC', kind: 'i16', digits: 1, unit: '°C', limits: celsius, rollUp: 'mean', sensor: true },
  { name: 'cellTempMaxC', kind: 'i16', digits: 1, unit: '°C', limits: celsius, rollUp: 'mean', sensor: true },
  { name: 'mosfetTempC', kind: 'i16', digits: 1, unit: '°C', limits: celsius, rollUp: 'mean', sensor: true },
  { name: 'ambientTempC', kind: 'i16', digits: 1, unit: '°C', limits: celsius, rollUp: 'mean' },
  { name: 'chargeCurrentLimitA', kind: 'u16', digits: 1, unit: 'A', limits: amperes, rollUp: 'mean' },
  { name: 'dischargeCurrentLimitA', kind: 'u16', digits: 1, unit: 'A', limits: amperes, rollUp: 'mean' },
  { name: 'pvPowerW', kind: 'i32', unit: 'W', limits: pvW, rollUp: 'mean' },
  { name: 'loadPowerW', kind: 'i32', unit: 'W', limits: loadW, rollUp: 'mean' },
  { name: 'gridPowerW', kind: 'i32', unit: 'W', limits: gridW, rollUp: 'mean' },
  { name: 'gridVoltageL1V', kind: 'u16', digits: 1, unit: 'V', limits: volts, rollUp: 'mean' },
  { name: 'gridVoltageL2V', kind: 'u16', digits: 1, unit: 'V', limits: volts, rollUp: 'mean' },
  { name: 'gridVoltageL3V', kind: 'u16', digits: 1, unit: 'V', limits: volts, rollUp: 'mean' },
  { name: 'gridFrequencyHz', kind: 'u16', digits: 2, unit: 'Hz', limits: fixed(45, 65), rollUp: 'mean' },
  { name: 'chargeEnergyWh', kind: 'u64', unit: 'Wh', rollUp: 'counter', lifetime: true },
  { name: 'dischargeEnergyWh', kind: 'u64', unit: 'Wh', rollUp: 'counter', lifetime: true },
  { name: 'pvEnergyWh', kind: 'u64', unit: 'Wh', rollUp: 'counter', lifetime: true },
  { name: 'loadEnergyWh', kind: 'u64', unit: 'Wh', rollUp: 'counter', lifetime: true },
  { name: 'gridImportEnergyWh', kind: 'u64', unit: 'Wh', rollUp: 'counter', lifetime: true },
  { name: 'gridExportEnergyWh', kind: 'u64', unit: 'Wh', rollUp: 'counter', lifetime: true },
  { name: 'cycleCount', kind: 'u32', digits: 2, rollUp: 'counter', lifetime: true },
  {
    name: 'chargeState',
    kind: 'code',
    options: ['OFF', 'EMPTY', 'DISCHARGING', 'CHARGING', 'FULL', 'HOLDING', 'TESTING'],
    rollUp: 'state',
  },
  {
    name: 'bankState',
    kind: 'code',
    options: ['DISCONNECTED', 'INITIALIZING', 'CONNECTED', 'STANDBY', 'SOC_PROTECTION', 'SUSPENDING', 'FAULT'],
    rollUp: 'state',
  },
  { name: 'gridMode', kind: 'code', options: ['ON_GRID', 'OFF_GRID'], rollUp: 'state' },
  { name: 'eventFlags', kind: 'u32', rollUp: 'flags' },
] as const satisfies readonly Channel[]

/** Worked out of a sample when it is stored. */
const derivedChannels = [{ name: 'cellDeltaMv', kind: 'u16', unit: 'mV', rollUp: 'mean' }] as const satisfies readonly Channel[]

type StatusChannel = Extract<(typeof statusFields)[number], { rollUp: RollUp }>
const isChannel = (field: (typeof statusFields)[number]): field is StatusChannel => 'rollUp' in field

export type ChannelName = (typeof measuredFields)[number]['name'] | StatusChannel['name'] | 'cellDeltaMv'
export type NamedChannel = Channel & { name: ChannelName }

/** Every channel of a sample, in the order in which people read them. */
export const channels: readonly NamedChannel[] = [...measuredFields, ...derivedChannels, ...statusFields.filter(isChannel)]

const byName: ReadonlyMap<string, NamedChannel> = new Map(channels.map((channel) => [channel.name, channel]))

export const channelOf = (name: string): NamedChannel | undefined => byName.get(name)
