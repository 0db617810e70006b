import type { Channel } from '#resources/fleet/channel-facts.ts'
import type { Label } from '#schema/words.ts'
import type { LineColor } from '#ui/chart/chart-colors.ts'

/** `mirrored`: drawn below zero, since it limits what is below zero. */
type Line = { channel: Channel; color: LineColor; dash?: readonly number[]; mirrored?: true }

/** Channels that are read together: one chart, one unit. */
export type Panel = {
  key: string
  label: Label
  lines: readonly Line[]
  /** What the two sides of zero mean. */
  note?: Label
  /** Bars of what each step has brought, or bars of states over time. */
  kind?: 'bar' | 'lane'
  range?: readonly [min: number, max: number]
  hasZero?: true
  isTall?: true
}

const fine = [4, 3]
const faint = [1, 4]

/** The charts from the top down. */
export const panels: readonly Panel[] = [
  {
    key: 'power',
    label: ['Power', 'Мощность'],
    note: [
      'Above zero the battery discharges and the grid is drawn from; below it charges and feeds in',
      'Выше нуля батарея разряжается и берётся из сети; ниже заряжается и отдаётся в сеть',
    ],
    lines: [
      { channel: 'pvPowerW', color: 'amber' },
      { channel: 'loadPowerW', color: 'blue' },
      { channel: 'batteryPowerW', color: 'green' },
      { channel: 'gridPowerW', color: 'violet', dash: fine },
    ],
    hasZero: true,
    isTall: true,
  },
  {
    key: 'charge',
    label: ['Charge', 'Заряд'],
    lines: [
      { channel: 'socPct', color: 'green' },
      { channel: 'sohPct', color: 'slate', dash: fine },
    ],
    range: [0, 100],
  },
  {
    key: 'stored',
    label: ['Stored energy', 'Запас энергии'],
    lines: [{ channel: 'energyAvailableWh', color: 'green' }],
    hasZero: true,
  },
  { key: 'voltage', label: ['Battery voltage', 'Напряжение батареи'], lines: [{ channel: 'batteryVoltageV', color: 'blue' }] },
  {
    key: 'current',
    label: ['Battery current', 'Ток батареи'],
    note: ['Above zero discharging, below charging', 'Выше нуля разряд, ниже заряд'],
    lines: [
      { channel: 'batteryCurrentA', color: 'teal' },
      { channel: 'dischargeCurrentLimitA', color: 'red', dash: fine },
      { channel: 'chargeCurrentLimitA', color: 'amber', dash: fine, mirrored: true },
    ],
    hasZero: true,
  },
  {
    key: 'cells',
    label: ['Cell voltage', 'Напряжение ячеек'],
    lines: [
      { channel: 'cellVoltageMaxMv', color: 'red' },
      { channel: 'cellVoltageAvgMv', color: 'slate', dash: faint },
      { channel: 'cellVoltageMinMv', color: 'blue' },
    ],
  },
  {
    key: 'spread',
    label: ['Cell spread', 'Разброс ячеек'],
    lines: [{ channel: 'cellDeltaMv', color: 'pink' }],
    hasZero: true,
  },
  {
    key: 'temperature',
    label: ['Temperature', 'Температура'],
    lines: [
      { channel: 'cellTempMaxC', color: 'red' },
      { channel: 'cellTempAvgC', color: 'slate', dash: faint },
      { channel: 'cellTempMinC', color: 'blue' },
      { channel: 'mosfetTempC', color: 'amber' },
      { channel: 'boardTempC', color: 'violet', dash: fine },
      { channel: 'ambientTempC', color: 'teal', dash: fine },
    ],
  },
  {
    key: 'grid-voltage',
    label: ['Grid voltage', 'Напряжение сети'],
    lines: [
      { channel: 'gridVoltageL1V', color: 'amber' },
      { channel: 'gridVoltageL2V', color: 'slate' },
      { channel: 'gridVoltageL3V', color: 'red' },
    ],
  },
  {
    key: 'grid-frequency',
    label: ['Grid frequency', 'Частота сети'],
    lines: [{ channel: 'gridFrequencyHz', color: 'violet' }],
  },
  {
    key: 'energy',
    label: ['Energy of each step', 'Энергия за шаг'],
    kind: 'bar',
    lines: [
      { channel: 'pvEnergyWh', color: 'amber' },
      { channel: 'loadEnergyWh', color: 'blue' },
      { channel: 'chargeEnergyWh', color: 'green' },
      { channel: 'dischargeEnergyWh', color: 'teal' },
      { channel: 'gridImportEnergyWh', color: 'violet' },
      { channel: 'gridExportEnergyWh', color: 'pink' },
    ],
    hasZero: true,
  },
  {
    key: 'cycles',
    label: ['Cycles of each step', 'Циклы за шаг'],
    kind: 'bar',
    lines: [{ channel: 'cycleCount', color: 'slate' }],
    hasZero: true,
  },
  {
    key: 'states',
    label: ['States', 'Состояния'],
    kind: 'lane',
    lines: [
      { channel: 'chargeState', color: 'green' },
      { channel: 'bankState', color: 'blue' },
      { channel: 'gridMode', color: 'violet' },
      { channel: 'eventFlags', color: 'red' },
    ],
  },
  { key: 'supply', label: ['Supply voltage', 'Питание платы'], lines: [{ channel: 'supplyMv', color: 'teal' }] },
  { key: 'signal', label: ['Signal', 'Уровень сигнала'], lines: [{ channel: 'rssiDbm', color: 'blue' }] },
  { key: 'uptime', label: ['Uptime', 'Время работы'], lines: [{ channel: 'uptimeS', color: 'slate' }], hasZero: true },
]

/** What is shown until somebody chooses. */
export const usualChannels: readonly Channel[] = [
  'pvPowerW',
  'loadPowerW',
  'batteryPowerW',
  'gridPowerW',
  'socPct',
  'batteryVoltageV',
  'cellVoltageMaxMv',
  'cellVoltageMinMv',
  'cellTempMaxC',
  'cellTempMinC',
  'ambientTempC',
  'chargeState',
  'gridMode',
]

/** Every channel that a chart can show, in the order of the panels. */
export const chartChannels: readonly Channel[] = panels.flatMap(({ lines }) => lines.map(({ channel }) => channel))

/** The panels with the chosen channels only; those without one are left out. */
export const panelsOf = (channels: readonly Channel[]): Panel[] =>
  panels.flatMap((panel) => {
    const lines = panel.lines.filter(({ channel }) => channels.includes(channel))
    return lines.length > 0 ? [{ ...panel, lines }] : []
  })
