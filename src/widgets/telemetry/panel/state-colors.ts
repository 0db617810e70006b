import type { LineColor } from '#ui/chart/chart-colors.ts'

/** Colours of states in their lanes; what is in order is calm, what is not stands out. */
const colors: Readonly<Record<string, LineColor>> = {
  CHARGING: 'green',
  DISCHARGING: 'blue',
  FULL: 'teal',
  EMPTY: 'amber',
  TESTING: 'violet',
  CONNECTED: 'green',
  INITIALIZING: 'amber',
  SUSPENDING: 'amber',
  SOC_PROTECTION: 'pink',
  DISCONNECTED: 'red',
  FAULT: 'red',
  ON_GRID: 'green',
  OFF_GRID: 'red',
}

export const stateColor = (state: string): LineColor => colors[state] ?? 'slate'
