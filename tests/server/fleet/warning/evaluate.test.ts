import { describe, expect, it } from 'vitest'
import { warningCodes } from '#resources/fleet/warnings/warning-codes.ts'
import { warningGuides } from '#resources/fleet/warnings/warning-guides.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { overridesOf } from '#server/fleet/warning/rule-facts.ts'
import { sampleRules } from '#server/fleet/warning/sample-rules.ts'
import { serverRules } from '#server/fleet/warning/server-rules.ts'
import { home } from '#tests/server/frames/sample-frames.ts'
import { WatchedRules, watchStart } from '#tests/support/watched-rules.ts'

const hot = (maxC: number) => ({ cellTempMinC: maxC - 2, cellTempAvgC: maxC - 1, cellTempMaxC: maxC })

describe('the rules of warnings', () => {
  it('find nothing at a healthy board', () => {
    const board = new WatchedRules()
    for (let minute = 0; minute < 60; minute++) expect(board.see(60, {})).toMatchObject({ raised: [], cleared: [] })
  })

  it('raise when a value has been bad for as long as the delay, and not before', () => {
    const board = new WatchedRules()
    expect(board.see(0, hot(46)).raised).toEqual([])
    expect(board.see(59, hot(46)).raised).toEqual([])
    expect(board.see(1, hot(46)).raised).toMatchObject([
      { code: 'OVER_TEMP', severity: 'WARNING', value: 46, threshold: 45, unit: '°C', trip: false, sinceMs: watchStart },
    ])
  })

  it('forget what went away before the delay was over', () => {
    const board = new WatchedRules()
    board.see(0, hot(46))
    board.see(30, hot(44))
    expect(board.see(40, hot(46)).raised).toEqual([])
  })

  it('end only where the value is back beyond the clearing threshold', () => {
    const board = new WatchedRules()
    board.see(0, hot(46))
    board.see(60, hot(46))
    expect(board.see(60, hot(43)).seen).toMatchObject([{ code: 'OVER_TEMP' }])
    expect(board.see(60, hot(42)).cleared).toEqual([{ code: 'OVER_TEMP', subject: null }])
  })

  it('rise while open, and fall back with a hysteresis of their own', () => {
    const board = new WatchedRules()
    board.see(0, hot(46))
    board.see(60, hot(46))
    board.see(60, hot(56))
    expect(board.see(60, hot(56)).raised).toMatchObject([{ severity: 'CRITICAL', trip: true, threshold: 55 }])
    expect(board.see(60, hot(52)).raised).toEqual([])
    expect(board.see(60, hot(49)).raised).toMatchObject([{ severity: 'WARNING' }])
    expect(board.see(60, hot(20)).cleared).toEqual([{ code: 'OVER_TEMP', subject: null }])
  })

  it('hold what latches until a person clears it', () => {
    const board = new WatchedRules()
    const flags = 2 ** warnings.INSULATION_FAULT.flag.bit
    expect(board.see(0, { eventFlags: flags }).raised).toMatchObject([
      { code: 'INSULATION_FAULT', severity: 'CRITICAL', latched: true },
    ])
    expect(board.during(600, { eventFlags: 0 }).cleared).toEqual([])
    expect(board.severityOf('INSULATION_FAULT')).toBe('CRITICAL')
  })

  it('name the cell that a voltage belongs to, and know the chemistry', () => {
    const low = { cellVoltageMinMv: 2_950, cellVoltageMinPos: 'm2/c05', cellDeltaMv: 20 }
    const board = new WatchedRules()
    board.see(0, low)
    expect(board.see(60, low).raised).toMatchObject([{ code: 'CELL_UNDER_VOLT', value: 2.95, threshold: 3, subject: 'm2/c05' }])
    const other = new WatchedRules()
    const full = { cellVoltageMaxMv: 4_120, cellVoltageMinMv: 4_110 }
    other.see(0, full, { site: { ...home, chemistry: 'NMC' } })
    expect(other.see(60, full, { site: { ...home, chemistry: 'NMC' } }).raised).toEqual([])
  })

  it('compare cells closely only in the middle of the charge and at little current', () => {
    const board = new WatchedRules()
    const apart = { cellDeltaMv: 90, batteryCurrentA: 5 }
    board.see(0, apart)
    expect(board.during(600, apart).raised).toMatchObject([{ code: 'CELL_IMBALANCE', threshold: 80 }])
    const low = new WatchedRules()
    low.see(0, { ...apart, socPct: 12 })
    expect(low.during(600, { ...apart, socPct: 12 }).raised).toEqual([])
  })

  it('count the cold only while the battery is charged', () => {
    const cold = { cellTempMinC: -1, cellTempAvgC: 0, cellTempMaxC: 1 }
    const board = new WatchedRules()
    board.see(0, { ...cold, batteryCurrentA: 20 })
    expect(board.see(60, { ...cold, batteryCurrentA: 20 }).raised).toEqual([])
    board.see(60, { ...cold, batteryCurrentA: -20 })
    expect(board.see(60, { ...cold, batteryCurrentA: -20 }).raised).toMatchObject([
      { code: 'UNDER_TEMP', severity: 'CRITICAL' },
    ])
  })

  it('tell of the phase that is furthest off, by the end of the range that it left', () => {
    const board = new WatchedRules()
    board.see(0, { gridVoltageL2V: 204 })
    expect(board.see(60, { gridVoltageL2V: 204 }).raised).toMatchObject([{ code: 'GRID_VOLT', value: 204, threshold: 207 }])
    expect(board.see(60, { gridMode: 'OFF_GRID', gridVoltageL1V: 0, gridVoltageL2V: 0, gridVoltageL3V: 0 })).toMatchObject({
      raised: [{ code: 'OFF_GRID', severity: 'INFO' }],
      cleared: [{ code: 'GRID_VOLT' }],
    })
  })

  it('show the end of the range in the values of the site', () => {
    const board = new WatchedRules()
    const facts = { gridNominalV: 120, gridNominalHz: 60 }
    const found = board.during(
      120,
      { gridVoltageL1V: 120, gridVoltageL2V: 106, gridVoltageL3V: 120, gridFrequencyHz: 60.7 },
      facts,
    )
    expect(board.open.map(({ code }) => code)).toEqual(['GRID_VOLT', 'GRID_FREQ'])
    expect(found.raised).toMatchObject([
      { code: 'GRID_VOLT', value: 106, threshold: 108 },
      { code: 'GRID_FREQ', value: 60.7, threshold: 60.6 },
    ])
  })

  it('find meters that contradict each other for an hour', () => {
    const board = new WatchedRules()
    const wrong = { gridPowerW: -164 }
    board.see(0, wrong)
    expect(board.during(3_599, wrong).raised).toEqual([])
    expect(board.see(1, wrong).raised).toMatchObject([{ code: 'ENERGY_IMBALANCE', severity: 'WARNING' }])
  })

  it('take a battery that rests at its lowest charge for normal, and go by the configured one', () => {
    const board = new WatchedRules()
    board.see(0, { socPct: 29 }, { socMinPct: 30 })
    expect(board.during(600, { socPct: 29 }, { socMinPct: 30 }).raised).toEqual([])
    board.see(0, { socPct: 26 }, { socMinPct: 30 })
    expect(board.during(300, { socPct: 26 }, { socMinPct: 30 }).raised).toMatchObject([{ code: 'SOC_LOW', threshold: 27 }])
  })

  it('know a wrong clock and a board that starts again and again', () => {
    const board = new WatchedRules()
    expect(board.see(0, {}, { clockOffS: -4_000, startsInHour: 3 }).raised).toMatchObject([
      { code: 'CLOCK_DRIFT', severity: 'CRITICAL', source: 'SERVER' },
      { code: 'REBOOT_LOOP', severity: 'WARNING', value: 3 },
    ])
    expect(board.see(60, {}, { clockOffS: 30, startsInHour: 3 }).raised).toMatchObject([
      { code: 'CLOCK_DRIFT', severity: 'WARNING' },
    ])
    expect(board.see(60, {}, { clockOffS: 5, startsInHour: 2 }).cleared).toEqual([
      { code: 'CLOCK_DRIFT', subject: null },
      { code: 'REBOOT_LOOP', subject: null },
    ])
  })

  it('take the thresholds of a board instead of the common ones', () => {
    const board = new WatchedRules()
    board.overrides = overridesOf([{ code: 'OVER_TEMP', raise: 38, clear: 36, delayS: 0 }, { code: 'nonsense' }, 7])
    expect(board.see(0, hot(38.5)).raised).toMatchObject([{ code: 'OVER_TEMP', threshold: 38 }])
    expect(board.see(60, hot(36)).cleared).toEqual([{ code: 'OVER_TEMP', subject: null }])
  })

  it('say nothing where a sample says nothing', () => {
    const board = new WatchedRules()
    board.see(0, hot(46))
    board.see(60, hot(46))
    expect(board.see(60, { cellTempMaxC: null, cellTempMinC: null })).toMatchObject({ raised: [], cleared: [] })
  })

  it('forget after a silence what had not lasted yet', () => {
    const board = new WatchedRules()
    const apart = { cellDeltaMv: 90, batteryCurrentA: 5 }
    board.see(0, apart)
    expect(board.see(8 * 3_600, apart).raised).toEqual([])
    expect(board.during(600, apart).raised).toMatchObject([{ code: 'CELL_IMBALANCE', sinceMs: watchStart + 8 * 3_600_000 }])
  })

  it('go on over a gap that is shorter than three intervals', () => {
    const board = new WatchedRules()
    board.see(0, hot(46))
    expect(board.see(180, hot(46)).raised).toMatchObject([{ code: 'OVER_TEMP', sinceMs: watchStart }])
    const other = new WatchedRules()
    other.see(0, hot(46))
    expect(other.see(181, hot(46)).raised).toEqual([])
  })

  it('raise a further cell that is worse than all that is known at once, and lower the others with the worst', () => {
    const board = new WatchedRules()
    const full = (mv: number, cell: string) => ({ cellVoltageMaxMv: mv, cellVoltageMaxPos: cell })
    board.during(60, full(3_590, 'm1/c01'))
    board.see(60, full(3_590, 'm1/c01'))
    expect(board.see(10, full(3_660, 'm2/c02'))).toMatchObject({ raised: [], cleared: [] })
    expect(board.see(10, full(3_660, 'm3/c03')).raised).toMatchObject([{ severity: 'CRITICAL', subject: 'm3/c03' }])
    expect(board.open.map(({ severity, subject }) => [severity, subject])).toEqual([
      ['WARNING', 'm1/c01'],
      ['CRITICAL', 'm3/c03'],
    ])
    // The highest cell is back, so every cell is; what latches stays.
    expect(board.see(60, full(3_400, 'm2/c02')).cleared).toEqual([{ code: 'CELL_OVER_VOLT', subject: 'm1/c01' }])
  })

  it('do not take a flag for raised by an event of another one', () => {
    const board = new WatchedRules()
    const bit = (code: 'DOOR_OPEN' | 'FAN_FAULT') => 2 ** warnings[code].flag.bit
    const event = { raised: 0, cleared: 0, flags: null, subject: null }
    board.hear(0, { ...event, raised: bit('DOOR_OPEN') })
    expect(board.hear(90, { ...event, raised: bit('FAN_FAULT') }).raised).toEqual([])
    expect(board.hear(30, { ...event, cleared: bit('DOOR_OPEN') })).toMatchObject({
      raised: [{ code: 'DOOR_OPEN', sinceMs: watchStart }],
      cleared: [{ code: 'DOOR_OPEN' }],
    })
  })

  it('know a flag whose beginning and end are told, however far apart, and one that a late sample still has', () => {
    const flags = 2 ** warnings.DOOR_OPEN.flag.bit
    const rose = { raised: flags, cleared: 0, flags, subject: null }
    const ended = { raised: 0, cleared: flags, flags: 0, subject: null }
    const events = new WatchedRules()
    events.hear(0, rose)
    expect(events.hear(3_600, ended)).toMatchObject({
      raised: [{ code: 'DOOR_OPEN', sinceMs: watchStart }],
      cleared: [{ code: 'DOOR_OPEN' }],
    })
    const sampled = new WatchedRules()
    sampled.hear(0, rose)
    expect(sampled.see(3_600, { eventFlags: flags }).raised).toMatchObject([{ code: 'DOOR_OPEN', sinceMs: watchStart }])
    const over = new WatchedRules()
    over.hear(0, rose)
    over.see(3_600, { eventFlags: 0 })
    expect(over.hear(3_600, ended)).toMatchObject({ raised: [], cleared: [] })
  })

  it('count a second place from its own event, and the first from the sample that showed the flag without one', () => {
    const board = new WatchedRules()
    const flags = 2 ** warnings.BMS_INTERNAL.flag.bit
    const at = (subject: string) => ({ raised: flags, cleared: 0, flags, subject })
    const set = { eventFlags: flags }
    const found = [board.see(0, set), board.hear(20, at('m3/c07')), board.during(600, set), board.hear(0, at('m3/c08'))]
    const since = found.flatMap(({ raised }) => raised).map(({ subject, sinceMs }) => [subject, sinceMs - watchStart])
    expect(Object.fromEntries(since)).toMatchObject({ 'm3/c07': 0, 'm3/c08': 620_000 })
  })
})

describe('the codes of warnings', () => {
  it('have each a rule and an explanation with causes, checks and actions', () => {
    const ruled = new Set([...sampleRules, ...serverRules].map(({ code }) => code))
    expect([...ruled].sort()).toEqual(Object.keys(warningCodes).sort())
    expect(Object.keys(warningGuides).sort()).toEqual(Object.keys(warningCodes).sort())
  })
})
