import type { Label } from '#schema/words.ts'

/** Headings of the live values of a board. */
export const channelGroups = {
  energy: ['Energy', 'Энергия'],
  battery: ['Battery', 'Батарея'],
  cells: ['Cells', 'Ячейки'],
  grid: ['Grid', 'Сеть'],
  board: ['Board', 'Плата'],
  counters: ['Counters', 'Счётчики'],
} as const satisfies Record<string, Label>

export type ChannelGroup = keyof typeof channelGroups

type PanelRow = {
  label: Label
  /** Meaning of the two sides of zero. */
  note?: Label
  /** Bars of the growth of each step, or bars of states over time. */
  kind?: 'bar' | 'lane'
  range?: readonly [min: number, max: number]
  hasZero?: true
  isTall?: true
}

/** The charts from the top down; the lines of each are the channels that name it. */
export const chartPanels = {
  power: { label: ['Power', 'Мощность'],
    note: ['Above zero: battery discharging and power drawn from the grid; below: charging and feeding in',
      'Выше нуля: разряд батареи и потребление из сети; ниже: заряд и отдача в сеть'],
    hasZero: true, isTall: true },
  charge: { label: ['Charge', 'Заряд'], range: [0, 100] },
  stored: { label: ['Stored energy', 'Запас энергии'], hasZero: true },
  voltage: { label: ['Battery voltage', 'Напряжение батареи'] },
  current: { label: ['Battery current', 'Ток батареи'], note: ['Above zero discharging, below charging', 'Выше нуля разряд, ниже заряд'], hasZero: true },
  cells: { label: ['Cell voltage', 'Напряжение ячеек'] },
  spread: { label: ['Cell spread', 'Разброс ячеек'], hasZero: true },
  temperature: { label: ['Temperature', 'Температура'] },
  'grid-voltage': { label: ['Grid voltage', 'Напряжение сети'] },
  'grid-frequency': { label: ['Grid frequency', 'Частота сети'] },
  energy: { label: ['Energy of each step', 'Энергия за шаг'], kind: 'bar', hasZero: true },
  cycles: { label: ['Cycles of each step', 'Циклы за шаг'], kind: 'bar', hasZero: true },
  states: { label: ['States', 'Состояния'], kind: 'lane' },
  supply: { label: ['Supply voltage', 'Питание платы'] },
  signal: { label: ['Signal', 'Уровень сигнала'] },
  uptime: { label: ['Uptime', 'Время работы'], hasZero: true },
} as const satisfies Record<string, PanelRow>

export type ChartPanel = keyof typeof chartPanels
