import { describe, expect, it } from 'vitest'
import type { Level, Severity } from '#resources/fleet/warnings/levels.ts'
import { flagCodes, type WarningCode } from '#resources/fleet/warnings/warning-codes.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import type { RuleFacts } from '#server/fleet/warning/rule-facts.ts'
import { sampleRules } from '#server/fleet/warning/sample-rules.ts'
import { home } from '#tests/server/frames/sample-frames.ts'
import { WatchedRules } from '#tests/support/watched-rules.ts'

type Values = RuleFacts['values']
/** For so many seconds this is measured every minute, at last at their end, and the warning of the row stands so; null = none is open. */
type Step = readonly [forS: number, values: Values, expected: Severity | null, facts?: Partial<RuleFacts>]
type Row = readonly [code: WarningCode, title: string, ...steps: Step[]]

const [W, C] = ['WARNING', 'CRITICAL'] as const
const over = (mv: number): Values => ({ cellVoltageMaxMv: mv })
const under = (mv: number): Values => ({ cellVoltageMinMv: mv })
const apart = (mv: number, more: Values = {}): Values => ({ cellDeltaMv: mv, batteryCurrentA: 5, ...more })
const hottest = (c: number): Values => ({ cellTempMaxC: c })
const cold = (c: number, amperes: number): Values => ({ cellTempMinC: c, batteryCurrentA: amperes })
const spread = (k: number): Values => ({ cellTempMinC: 20, cellTempMaxC: 20 + k })
const charging = (amperes: number, limitA: number): Values => ({ batteryCurrentA: -amperes, chargeCurrentLimitA: limitA })
const discharging = (amperes: number, limitA: number): Values => ({ batteryCurrentA: amperes, dischargeCurrentLimitA: limitA })
const phase = (v: number): Values => ({ gridVoltageL1V: v })
const phases = (v: number): Values => ({ gridVoltageL1V: v, gridVoltageL2V: v, gridVoltageL3V: v })
const hz = (value: number): Values => ({ gridFrequencyHz: value })
const meters = (loadPowerW: number, gridPowerW: number): Values => ({ loadPowerW, gridPowerW, pvPowerW: 0, batteryPowerW: 0 })
const clock = (clockOffS: number | null) => ({ clockOffS })
const starts = (startsInHour: number) => ({ startsInHour })
const flags = (...bits: number[]): Values => ({ eventFlags: bits.reduce((sum, bit) => sum + 2 ** bit, 0) })
const big = { site: { ...home, ratedChargePowerW: 100_000, ratedDischargePowerW: 100_000 } }
const america = { gridNominalV: 120, gridNominalHz: 60 }
const unplated = { capacityAh: null, site: undefined }

const rows: Row[] = [
  ['CELL_OVER_VOLT', 'raises, holds, and clears beyond the clearing voltage',
    [0, over(3_590), null], [10, over(3_590), W], [60, over(3_550), W], [60, over(3_520), null]],
  ['CELL_OVER_VOLT', 'latches at the critical voltage',
    [0, over(3_660), null], [10, over(3_660), C], [60, over(3_300), C]],
  ['CELL_OVER_VOLT', 'is silent without the voltage',
    [0, over(3_590), null], [10, over(3_590), W], [60, { cellVoltageMaxMv: null }, W]],

  ['CELL_UNDER_VOLT', 'raises, holds, and clears beyond the clearing voltage',
    [0, under(2_990), null], [10, under(2_990), W], [60, under(3_050), W], [60, under(3_100), null]],
  ['CELL_UNDER_VOLT', 'latches at the critical voltage',
    [0, under(2_790), null], [10, under(2_790), C], [60, under(3_300), C]],

  ['CELL_IMBALANCE', 'raises, holds, and clears at rest',
    [0, apart(85), null], [599, apart(85), null], [1, apart(85), W], [60, apart(60), W], [60, apart(50), null]],
  ['CELL_IMBALANCE', 'is neither cleared nor raised by a load',
    [0, apart(85), null], [600, apart(85), W], [60, apart(95, { batteryCurrentA: 60 }), W],
    [60, apart(20, { batteryCurrentA: 60 }), W], [60, apart(20), null], [60, apart(900, { batteryCurrentA: 60 }), null],
    [600, apart(900, { batteryCurrentA: 60 }), null]],
  ['CELL_IMBALANCE', 'is neither cleared nor raised where the curve is steep',
    [0, apart(85), null], [600, apart(85), W], [60, apart(20, { socPct: 97 }), W], [60, apart(20, { socPct: 12 }), W],
    [60, apart(20, { socPct: 15 }), null], [600, apart(900, { socPct: 97 }), null]],
  ['CELL_IMBALANCE', 'is silent while current or charge is not known',
    [0, apart(85), null], [600, apart(85), W], [60, apart(20, { batteryCurrentA: null }), W],
    [60, apart(20, { socPct: null }), W]],
  ['CELL_IMBALANCE', 'goes by rated energy and voltage where the nameplate lacks the capacity',
    [0, apart(85, { batteryCurrentA: 60 }), null, { capacityAh: null }],
    [600, apart(85, { batteryCurrentA: 60 }), null, { capacityAh: null }],
    [0, apart(85), null, { capacityAh: null }], [600, apart(85), W, { capacityAh: null }]],

  ['OVER_TEMP', 'raises, rises, falls and clears',
    [0, hottest(45), null], [60, hottest(45), W], [60, hottest(55), W], [60, hottest(55), C], [60, hottest(51), C],
    [60, hottest(50), W], [60, hottest(43), W], [60, hottest(42), null]],

  ['UNDER_TEMP', 'raises only while the battery is charged',
    [0, cold(-1, 20), null], [60, cold(-1, 20), null], [0, cold(-1, -20), null], [60, cold(-1, -20), C]],
  ['UNDER_TEMP', 'clears by the temperature, whatever the current',
    [0, cold(-1, -20), null], [60, cold(-1, -20), C], [60, cold(1, 0), C], [60, cold(4, 0), W], [60, cold(25, 0), null]],
  ['UNDER_TEMP', 'does not get worse while nothing is charged',
    [0, cold(4, -20), null], [60, cold(4, -20), W], [60, cold(-5, 0), W], [60, cold(-5, 0), W]],
  ['UNDER_TEMP', 'is silent without the temperature',
    [0, cold(4, -20), null], [60, cold(4, -20), W], [60, { cellTempMinC: null, batteryCurrentA: 0 }, W]],

  ['TEMP_IMBALANCE', 'raises, holds and clears',
    [0, spread(8), null], [300, spread(8), W], [60, spread(6), W], [60, spread(5), null]],
  ['TEMP_IMBALANCE', 'is silent without one of both ends',
    [0, spread(16), null], [300, spread(16), C], [60, { cellTempMinC: null }, C]],

  ['MOSFET_TEMP', 'raises, holds and clears',
    [0, { mosfetTempC: 75 }, null], [30, { mosfetTempC: 75 }, W], [60, { mosfetTempC: 71 }, W], [60, { mosfetTempC: 70 }, null]],

  ['OVER_CHARGE_CURRENT', 'raises, holds and clears by the share of the limit',
    [0, charging(53, 50), null], [10, charging(53, 50), W], [0, charging(60, 50), W], [10, charging(60, 50), C],
    [60, charging(51, 50), W], [60, charging(50, 50), null]],
  ['OVER_CHARGE_CURRENT', 'is not cleared by a limit of zero while current flows',
    [0, charging(61, 50), null], [10, charging(61, 50), C], [60, charging(60, 0), C]],
  ['OVER_CHARGE_CURRENT', 'is not cleared by a limit near zero at rest, but by a limit that allows the current',
    [0, charging(61, 50), null], [10, charging(61, 50), C], [60, charging(0, 0), C], [60, charging(3, 0.9), C],
    [60, charging(0, 50), null]],
  ['OVER_CHARGE_CURRENT', 'raises where charging is forbidden and more than 0.02 C flows',
    [0, charging(3.9, 0), null], [60, charging(3.9, 0), null], [0, charging(60, 0), null], [10, charging(60, 0), C]],
  ['OVER_CHARGE_CURRENT', 'knows the forbidden current without a nameplate',
    [0, charging(0.9, 0), null, unplated], [60, charging(1.3, 0), null, unplated], [60, charging(1.3, 0), C, unplated]],
  ['OVER_CHARGE_CURRENT', 'says nothing of a discharge',
    [0, charging(-90, 50), null], [60, charging(-90, 50), null]],
  ['OVER_CHARGE_CURRENT', 'is silent without the limit',
    [0, charging(61, 50), null], [10, charging(61, 50), C], [60, { batteryCurrentA: 0, chargeCurrentLimitA: null }, C]],

  ['OVER_DISCHARGE_CURRENT', 'raises, holds and clears by the share of the limit',
    [0, discharging(61, 50), null], [10, discharging(61, 50), C], [60, discharging(53, 50), C], [60, discharging(50, 50), null]],
  ['OVER_DISCHARGE_CURRENT', 'raises where discharging is forbidden, and a limit near zero does not clear it',
    [0, discharging(60, 0), null], [10, discharging(60, 0), C], [60, discharging(0, 0), C], [60, discharging(5, 50), null]],

  ['SOC_LOW', 'raises below the lowest charge that is configured, and clears above it',
    [0, { socPct: 7 }, null], [300, { socPct: 7 }, W], [60, { socPct: 11 }, W], [60, { socPct: 12 }, null]],
  ['SOC_LOW', 'is critical when the battery is empty',
    [0, { socPct: 3 }, null], [300, { socPct: 3 }, C], [60, { socPct: 5 }, C], [60, { socPct: 6 }, W]],

  ['SOH_LOW', 'raises after a day, and clears above its threshold',
    [0, { sohPct: 80 }, null], [86_399, { sohPct: 80 }, null], [1, { sohPct: 80 }, W], [60, { sohPct: 81 }, null]],

  ['GRID_VOLT', 'raises at either end, holds and clears',
    [0, phase(207), null], [60, phase(207), W], [60, phase(208.5), W], [60, phase(209), null], [0, phase(253), null],
    [60, phase(253), W], [0, phase(184), W], [60, phase(184), C]],
  ['GRID_VOLT', 'is critical at other distances above than below: from 264 V and from 184 V on',
    [0, phase(263.9), null], [60, phase(263.9), W], [0, phase(264), W], [60, phase(264), C], [60, phase(258.1), C],
    [60, phase(258), W], [0, phase(184.1), W], [60, phase(184.1), W], [0, phase(184), W], [60, phase(184), C]],
  ['GRID_FREQ', 'is critical from 51.5 Hz and from 47.5 Hz on',
    [0, hz(51.4), null], [60, hz(51.4), W], [0, hz(51.5), W], [60, hz(51.5), C], [60, hz(48), W], [60, hz(47.6), W],
    [0, hz(47.5), W], [60, hz(47.5), C]],
  ['GRID_FREQ', 'raises at either end, holds and clears',
    [0, hz(49.5), null], [60, hz(49.5), W], [60, hz(49.59), W], [60, hz(49.6), null], [0, hz(51.5), null], [60, hz(51.5), C]],
  ['GRID_VOLT', 'is relative to the nominal voltage of the site: 120 V are no warning, and each end is 10 % off',
    [300, phases(120), null, america], [0, phases(108), null, america], [60, phases(108), W, america],
    [60, phases(109), W, america], [60, phases(109.1), null, america], [0, phases(132), null, america],
    [60, phases(132), W, america], [0, phases(96), W, america], [60, phases(96), C, america]],
  ['GRID_VOLT', 'is relative to other nominal voltages, too',
    [60, phases(110), null, { gridNominalV: 110 }], [60, phases(240), null, { gridNominalV: 240 }],
    [0, phases(216), null, { gridNominalV: 240 }], [60, phases(216), W, { gridNominalV: 240 }]],
  ['GRID_VOLT', 'has nothing to say without a grid, whatever the nominal voltage',
    [0, phases(132), null, america], [60, phases(132), W, america], [60, { ...phases(0), gridMode: 'OFF_GRID' }, null, america]],
  ['GRID_FREQ', 'is relative to the nominal frequency of the site: 60 Hz are no warning',
    [300, hz(60), null, america], [0, hz(59.4), null, america], [60, hz(59.4), W, america], [60, hz(59.52), null, america],
    [0, hz(61.8), null, america], [60, hz(61.8), C, america], [60, hz(50), C, america]],
  ['GRID_FREQ', 'is silent without the frequency, and over without a grid',
    [0, hz(49.4), null], [60, hz(49.4), W], [60, { gridFrequencyHz: null }, W], [60, { gridMode: 'OFF_GRID' }, null]],

  ['CLOCK_DRIFT', 'raises on either side, holds and clears',
    [0, {}, W, clock(-60)], [60, {}, W, clock(11)], [60, {}, null, clock(10)], [60, {}, C, clock(3_600)], [60, {}, W, clock(-60)]],
  ['CLOCK_DRIFT', 'is silent while the offset is not known',
    [0, {}, C, clock(-4_000)], [60, {}, C, clock(null)]],

  ['REBOOT_LOOP', 'raises by the starts of an hour, and clears at two',
    [0, {}, null, starts(2)], [60, {}, W, starts(3)], [60, {}, C, starts(6)], [60, {}, C, starts(3)], [60, {}, null, starts(2)]],

  ['ENERGY_IMBALANCE', 'raises when meters contradict each other for an hour, holds, and clears when most of the last hour agrees',
    [0, meters(2_000, 2_300), null], [3_599, meters(2_000, 2_300), null], [1, meters(2_000, 2_300), W],
    [60, meters(2_000, 2_000), W], [1_500, meters(2_000, 2_000), W], [600, meters(2_000, 2_000), null]],
  ['ENERGY_IMBALANCE', 'is not put off by single values that agree',
    [1_800, meters(2_000, 2_300), null], [60, meters(2_000, 2_000), null], [1_500, meters(2_000, 2_300), null],
    [300, meters(2_000, 2_300), W]],
  ['ENERGY_IMBALANCE', 'is not raised by single values, nor by half an hour of them',
    [3_600, meters(2_000, 2_000), null], [60, meters(2_000, 9_000), null], [3_600, meters(2_000, 2_000), null],
    [1_500, meters(2_000, 9_000), null], [5_400, meters(2_000, 2_000), null]],
  ['ENERGY_IMBALANCE', 'is not raised by the own use of the system at night',
    [0, meters(300, 330), null], [3_660, meters(300, 330), null]],
  ['ENERGY_IMBALANCE', 'tolerates 2 % of the rated power',
    [0, meters(4_000, 6_000), null, big], [3_600, meters(4_000, 6_000), null, big],
    [3_600, meters(4_000, 6_001), null, big], [2_100, meters(4_000, 6_001), W, big]],
  ['ENERGY_IMBALANCE', 'adds the own use of the nameplate to what it tolerates',
    [0, meters(300, 540), null, { ownUseW: 40 }], [3_600, meters(300, 540), null, { ownUseW: 40 }],
    [3_600, meters(300, 541), null, { ownUseW: 40 }], [2_100, meters(300, 541), W, { ownUseW: 40 }]],
  ['ENERGY_IMBALANCE', 'is silent without one of the meters',
    [0, meters(2_000, 2_300), null], [3_600, meters(2_000, 2_300), W], [60, { ...meters(2_000, 2_300), loadPowerW: null }, W]],

  ['OFF_GRID', 'is told while the grid is away',
    [0, { gridMode: 'OFF_GRID' }, 'INFO'], [60, { gridMode: null }, 'INFO'], [60, { gridMode: 'ON_GRID' }, null]],
]

const flagRows = flagCodes.map((code): Row => {
  const { bit, delayS, level } = warnings[code].flag
  const { severity, latch }: Level = level
  return [code, `follows its bit after its delay, and ${latch ? 'stays until it is cleared' : 'ends with it'}`,
    [0, flags(bit), delayS > 0 ? null : severity], [delayS, flags(bit), severity], [60, { eventFlags: null }, severity],
    [60, flags(bit, 0), severity], [60, flags(0), latch ? severity : null]]
})

function severityAfter(board: WatchedRules, code: string, [forS, values, , facts]: Step): Severity | null {
  board.during(forS, values, facts)
  return board.severityOf(code) ?? null
}

describe('the rule of a warning', () => {
  const tables = [...rows, ...flagRows].map(([code, title, ...steps]) => [`${code} ${title}`, code, steps] as const)
  it.each(tables)('%s', (_title, code, steps) => {
    const board = new WatchedRules()
    const found = steps.map((step) => severityAfter(board, code, step))
    expect(found).toEqual(steps.map(([, , expected]) => expected))
  })

  it('ENERGY_IMBALANCE is judged by nothing that was measured before a silence of more than an hour', () => {
    const board = new WatchedRules()
    board.during(3_600, meters(2_000, 2_000))
    board.see(7_200, meters(2_000, 2_300))
    board.during(3_540, meters(2_000, 2_300))
    expect(board.severityOf('ENERGY_IMBALANCE')).toBeUndefined()
    board.see(60, meters(2_000, 2_300))
    expect(board.severityOf('ENERGY_IMBALANCE')).toBe('WARNING')
  })

  it('ENERGY_IMBALANCE is judged by the last three values of a board that reports once an hour', () => {
    const board = new WatchedRules(3 * 3_600)
    for (const grid of [2_000, 2_000, 2_300, 2_000, 2_300]) board.see(3_600, meters(2_000, grid))
    expect(board.severityOf('ENERGY_IMBALANCE')).toBeUndefined()
    for (const grid of [2_300, 2_300]) board.see(3_600, meters(2_000, grid))
    expect(board.severityOf('ENERGY_IMBALANCE')).toBe('WARNING')
  })

  it('ENERGY_IMBALANCE remembers little of a board that reports every five seconds', () => {
    const board = new WatchedRules()
    for (let reports = 0; reports < 1_440; reports++) board.see(5, meters(2_000, 2_300))
    expect(board.severityOf('ENERGY_IMBALANCE')).toBe('WARNING')
    expect(board.memory.meters?.length).toBeLessThanOrEqual(13)
  })

  it('has rows in this table for each code', () => {
    const tried = new Set([...rows, ...flagRows].map(([code]) => code))
    expect([...tried].toSorted()).toEqual(sampleRules.map(({ code }) => code).toSorted())
  })
})
