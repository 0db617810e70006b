import type { LineColor } from '#ui/chart/chart-colors.ts'

/** Colours of state lanes: subdued for normal states, strong for faults. */
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
