import { chemistries, chemistryNames } from '#resources/fleet/chemistries.ts'
import { critical, type Level, trips, warning } from '#resources/fleet/warnings/levels.ts'
import type { WarningCode } from '#resources/fleet/warnings/warning-codes.ts'

/** Direction of a level: worse above, worse below, or worse with distance from a reference. */
export type Direction = 'above' | 'below' | { around: number }

/** Standard levels of the fleet; cell voltages by chemistry. Delay in seconds. */
export type Standard = {
  code: WarningCode
  chemistry: string | null
  direction: Direction
  unit: string
  delayS: number
  levels: readonly Level[]
}

export const nominalV = 230
export const nominalHz = 50
const hourS = 3_600
const dayS = 86_400

type Row = [WarningCode, Direction, unit: string, delayS: number, levels: readonly Level[]]
const rows: readonly Row[] = [
  ['CELL_IMBALANCE', 'above', 'mV', 600, [warning(80, 50), critical(200, 120)]],
  ['OVER_TEMP', 'above', '°C', 60, [warning(45, 42), critical(55, 50, trips)]],
  ['UNDER_TEMP', 'below', '°C', 60, [warning(5, 7), critical(0, 3, trips)]],
  ['TEMP_IMBALANCE', 'above', 'K', 300, [warning(8, 5), critical(15, 10)]],
  ['MOSFET_TEMP', 'above', '°C', 30, [warning(75, 70), critical(90, 80, trips)]],
  ['OVER_CHARGE_CURRENT', 'above', '%', 10, [warning(105, 100), critical(120, 105, trips)]],
  ['OVER_DISCHARGE_CURRENT', 'above', '%', 10, [warning(105, 100), critical(120, 105, trips)]],
  ['SOH_LOW', 'below', '%', dayS, [warning(80, 81), critical(70, 71)]],
  ['GRID_VOLT', { around: nominalV }, 'V', 60, [warning(23, 21), critical(46, 40)]],
  ['GRID_FREQ', { around: nominalHz }, 'Hz', 60, [warning(0.5, 0.4), critical(1.5, 1.2)]],
  ['CLOCK_DRIFT', 'above', 's', 0, [warning(60, 10), critical(hourS, 60)]],
  ['REBOOT_LOOP', 'above', '', 0, [warning(3, 2), critical(6, 2)]],
  ['ENERGY_IMBALANCE', 'above', '%', hourS, [warning(5, 4)]],
]

const cellDelayS = 10
const cellStandards = chemistryNames.flatMap((chemistry): Standard[] => {
  const { over, under } = chemistries[chemistry]
  const facts = { chemistry, unit: 'V', delayS: cellDelayS }
  return [
    { ...facts, code: 'CELL_OVER_VOLT', direction: 'above', levels: over },
    { ...facts, code: 'CELL_UNDER_VOLT', direction: 'below', levels: under },
  ]
})

/** Every threshold that may be set for the fleet. Flags of boards have none, and a low charge is one beside the board's own limit. */
export const standards: readonly Standard[] = [
  ...cellStandards,
  ...rows.map(([code, direction, unit, delayS, levels]) => ({ code, chemistry: null, direction, unit, delayS, levels })),
]
