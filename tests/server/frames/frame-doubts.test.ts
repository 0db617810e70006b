import { describe, expect, it } from 'vitest'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { codesOf, decode, decodeAll, noon, type TelemetryValues, telemetryFrame, uid } from './sample-frames.ts'

const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

describe('a doubtful frame', () => {
  it.each([
    ['CLOCK_FUTURE', 6],
    ['CLOCK_PAST', -8 * 24 * 60],
  ])('is PARTIAL for %s: kept at its arrival, as an estimate', (code, minutes) => {
    const frame = decode(telemetryFrame({}, { time: at(minutes) }))
    expect(frame).toMatchObject({ status: 'PARTIAL', reasons: [{ code, field: 'deviceTime', offset: 12 }] })
    expect(frame.sample).toMatchObject({ at: noon, quality: 'ESTIMATED' })
  })

  it.each([
    ['CLOCK_PAST', 'behind', -20, -20],
    ['CLOCK_PAST', 'behind, of what it had kept', -20, -180],
    ['CLOCK_FUTURE', 'ahead, of what it had kept', 60, -180],
  ])('is kept at its arrival for %s when its board proves its clock to be %s', (code, _, clockMinutes, minutes) => {
    const frame = decode(telemetryFrame({}, { time: at(minutes) }), { wrongAt: at(clockMinutes), keptSince: at(-60 * 1_440) })
    expect(frame).toMatchObject({ status: 'PARTIAL', reasons: [{ code, field: 'deviceTime' }] })
    expect(frame.reasons[0]?.actual).toBe(at(clockMinutes).toISOString())
    expect(frame.sample).toMatchObject({ at: noon, quality: 'ESTIMATED' })
    expect(frame.memory).toEqual({})
  })

  it('is believed of a time that the wrong clock has not reached: it was made before that was set back', () => {
    const frame = decode(telemetryFrame({}, { time: at(-60) }), { wrongAt: at(-120) })
    expect(frame).toMatchObject({ status: 'VALID', sample: { at: at(-60), quality: 'GOOD' } })
  })

  it('is believed when a later one of its run was, and not when its clock has gone back since', () => {
    const context = { memory: decode(telemetryFrame({}, { seq: 500, time: at(-10) })).memory, wrongAt: at(-6) }
    const late = decode(telemetryFrame({}, { seq: 3, time: at(-400) }), context)
    expect([codesOf(late), late.sample?.at]).toEqual([['OUT_OF_ORDER'], at(-400)])
    expect(codesOf(decode(telemetryFrame({}, { seq: 501, time: at(-400) }), context))).toEqual(['CLOCK_PAST'])
    expect(codesOf(decode(telemetryFrame({}, { seq: 501, time: at(-7) }), context))).toEqual(['CLOCK_PAST'])
    expect(codesOf(decode(telemetryFrame({ rebootCount: 2 }, { seq: 3, time: at(-400) }), context))).toEqual(['CLOCK_PAST'])
  })

  it('takes a clock of 1970 for wrong, whenever it arrives', () => {
    expect(codesOf(decode(telemetryFrame({}, { time: new Date(60_000) }), { receivedAt: new Date(120_000) }))).toEqual([
      'CLOCK_PAST',
    ])
  })

  it('leaves out only the cell that can not be true', () => {
    const frame = decode(telemetryFrame({ cellVoltageMinMv: 9900 }))
    expect(frame).toMatchObject({
      status: 'PARTIAL',
      reasons: [
        { code: 'VALUE_OUT_OF_RANGE', field: 'cellVoltageMinMv', length: 2, expected: '1500–4000 mV', actual: '9900 mV' },
      ],
      sample: { quality: 'PARTIAL', doubted: ['cellVoltageMinMv'], values: { cellVoltageMinMv: null, cellVoltageMaxMv: 3284 } },
    })
    expect(frame.fields.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['cellVoltageMinMv'])
  })

  it.each([
    ['socPct', { socPct: 130 }],
    ['batteryPowerW', { batteryPowerW: 6100 }],
    ['batteryVoltageV', { batteryVoltageV: 61 }],
    ['energyAvailableWh', { energyAvailableWh: 11_300 }],
    ['boardTempC', { boardTempC: 126 }],
    ['gridFrequencyHz', { gridFrequencyHz: 44 }],
    ['pvPowerW', { pvPowerW: -5 }],
    ['rssiDbm', { rssiDbm: 3 }],
  ])('knows the bounds of %s at this site', (field, values) => {
    expect(decode(telemetryFrame(values)).reasons[0]).toMatchObject({ code: 'VALUE_OUT_OF_RANGE', field })
  })

  it('judges a board that stands nowhere only by what is impossible everywhere', () => {
    const frame = decode(telemetryFrame({ batteryPowerW: 60_000, batteryVoltageV: 750, batteryCurrentA: 80 }), {
      site: undefined,
    })
    expect(frame).toMatchObject({ status: 'VALID', reasons: [{ code: 'NOT_ATTACHED', severity: 'NOTE' }] })
  })

  it.each([
    ['the power is not volts times amperes', { batteryPowerW: 2_000 }, 'batteryPowerW', ['batteryPowerW', 'batteryCurrentA']],
    ['the lowest is above the highest', { cellTempMinC: 30 }, 'cellTempMinC', ['cellTempMinC', 'cellTempAvgC', 'cellTempMaxC']],
    ['the mean is not between the extremes', { cellVoltageAvgMv: 3300 }, 'cellVoltageAvgMv', ['cellVoltageAvgMv']],
  ])('is INCONSISTENT when %s', (_, values, field, doubted) => {
    const frame = decode(telemetryFrame(values))
    expect(frame.reasons).toMatchObject([{ code: 'INCONSISTENT', field }])
    expect([...(frame.sample?.doubted ?? [])].toSorted()).toEqual([...doubted].toSorted())
  })

  it('doubts a charge that jumps, until time explains it', () => {
    const frames = [0, 1, 2, 9].map((minutes, seq) =>
      telemetryFrame({ socPct: minutes === 0 ? 60 : 20 }, { seq, time: at(minutes) }),
    )
    const decoded = decodeAll(frames, { receivedAt: at(9) })
    expect(decoded.map(codesOf)).toEqual([[], ['INCONSISTENT'], ['INCONSISTENT'], []])
    expect(decoded[1]?.sample?.values.socPct).toBeNull()
  })

  it('doubts a counter that falls once, and follows it then', () => {
    const frames = [100, 90, 95].map((pvEnergyWh, seq) => telemetryFrame({ pvEnergyWh }, { seq, time: at(seq) }))
    const decoded = decodeAll(frames, { receivedAt: at(2) })
    expect(decoded.map(codesOf)).toEqual([[], ['INCONSISTENT'], []])
    expect(decoded.map(({ sample }) => sample?.values.pvEnergyWh)).toEqual([100, null, 95])
  })

  describe('with the charge of a full or empty battery', () => {
    const step = (from: number, to: number, end: TelemetryValues) => {
      const frames = [from, to].map((socPct, seq) =>
        telemetryFrame({ socPct, ...(seq > 0 ? end : {}) }, { seq, time: at(seq) }),
      )
      return decodeAll(frames, { receivedAt: at(1) })[1]
    }

    it.each([
      ['its charge state is FULL', 91, 100, { chargeState: 'FULL' }],
      ['its highest cell is at the end of charge', 91, 100, { cellVoltageMaxMv: 3520, batteryVoltageV: 52.48 }],
      ['its charge state is EMPTY', 14, 3, { chargeState: 'EMPTY' }],
      ['its lowest cell is at the end of discharge', 14, 3, { cellVoltageMinMv: 2800 }],
    ])('notes that it was calibrated when %s', (_, from, to, end) => {
      const frame = step(from, to, end)
      expect(frame).toMatchObject({
        status: 'VALID',
        reasons: [{ code: 'SOC_RECALIBRATED', severity: 'NOTE', field: 'socPct' }],
      })
      expect(frame?.sample).toMatchObject({ quality: 'GOOD', values: { socPct: to } })
    })

    it('doubts it when nothing says so, or when it leaves that end', () => {
      expect(step(91, 100, {})?.sample?.values.socPct).toBeNull()
      expect(step(91, 60, { chargeState: 'FULL' })?.sample?.values.socPct).toBeNull()
    })
  })

  it('lets the power on one side of the converter differ from volts times amperes by what is lost in it', () => {
    const volts = (batteryPowerW: number, product: number) =>
      codesOf(decode(telemetryFrame({ batteryPowerW, batteryVoltageV: 52.5, batteryCurrentA: product / 52.5 })))
    expect(volts(5_000, 5_263)).toEqual([])
    expect(volts(5_000, 5_600)).toEqual([])
    expect(volts(-5_000, -4_737)).toEqual([])
    expect(volts(-5_000, -4_400)).toEqual([])
    expect(volts(5_000, 5_700)).toEqual(['INCONSISTENT'])
    expect(volts(5_000, 4_700)).toEqual(['INCONSISTENT'])
    expect(volts(-5_000, 5_000)).toEqual(['INCONSISTENT'])
  })

  describe('of a sensor', () => {
    const hours = (count: number, stepS: number, values: (seq: number) => TelemetryValues) => {
      const frames = Array.from({ length: count }, (_, seq) => {
        const batteryCurrentA = 10 + (seq % 30)
        const moving = {
          batteryCurrentA,
          batteryPowerW: Math.round(batteryCurrentA * 52),
          batteryVoltageV: 52 + (seq % 50) / 100,
          cellVoltageMinMv: 3200 + (seq % 7),
          cellVoltageAvgMv: 3240 + (seq % 7),
          cellVoltageMaxMv: 3280 + (seq % 7),
          cellTempMinC: 18 + (seq % 30) / 10,
          cellTempAvgC: 21 + (seq % 3) / 10,
          cellTempMaxC: 22 + (seq % 30) / 10,
          mosfetTempC: 30 + (seq % 9),
        }
        return telemetryFrame({ ...moving, ...values(seq) }, { seq: seq & 0xffff, time: at((seq * stepS) / 60) })
      })
      return decodeAll(frames, { receivedAt: at((count * stepS) / 60) }).map(codesOf)
    }
    const firstStuck = (codes: string[][]) => codes.findIndex((found) => found.includes('SENSOR_STUCK'))

    it('that stands still for 256 samples and four hours while others move is left out, and trusted again when it moves', () => {
      const codes = hours(261, 60, (seq) => ({ cellTempAvgC: seq === 260 ? 21.4 : 21.2 }))
      expect(firstStuck(codes)).toBe(255)
      expect(codes[259]).toEqual(['SENSOR_STUCK'])
      expect(codes[260]).toEqual([])
    })

    it('is no doubt before four hours, however often it was read', () => {
      const codes = hours(3_000, 5, () => ({ cellTempMinC: 20, cellVoltageMinMv: 3_203 }))
      expect(firstStuck(codes)).toBe((4 * 3_600) / 5)
    })

    it('of whole degrees in a cooled cabinet is no doubt while other temperatures move a little', () => {
      const cooled = { cellTempMinC: 22, cellTempAvgC: 22, cellTempMaxC: 23 }
      expect(firstStuck(hours(600, 60, () => cooled))).toBe(-1)
      expect(firstStuck(hours(600, 60, (seq) => ({ ...cooled, cellTempMaxC: 23 + (seq % 2) })))).toBe(-1)
    })

    it('that reads tens of millivolts needs more than a little current to move', () => {
      const gentle = (seq: number) => {
        const batteryCurrentA = 10 + (seq % 8)
        return { batteryCurrentA, batteryPowerW: batteryCurrentA * 52 }
      }
      expect(firstStuck(hours(300, 60, (seq) => ({ ...gentle(seq), cellVoltageMaxMv: 3_290 })))).toBe(-1)
      expect(firstStuck(hours(300, 60, (seq) => ({ ...gentle(seq), cellVoltageMaxMv: 3_291 })))).toBe(255)
      expect(firstStuck(hours(300, 60, () => ({ cellVoltageMaxMv: 3_290 })))).toBe(255)
    })
  })

  it('lets a sensor stand still while the battery rests', () => {
    const frames = Array.from({ length: 300 }, (_, seq) =>
      telemetryFrame({ batteryPowerW: 0, batteryCurrentA: 0 }, { seq, time: at(seq) }),
    )
    expect(decodeAll(frames, { receivedAt: at(300) }).every(({ status }) => status === 'VALID')).toBe(true)
  })
})

describe('the order of frames', () => {
  it('notes what is missing, also where the numbers run round', () => {
    const frames = [65_534, 65_535, 2].map((seq, index) => telemetryFrame({}, { seq, time: at(index) }))
    const decoded = decodeAll(frames, { receivedAt: at(2) })
    expect(decoded.map(({ gapBefore }) => gapBefore)).toEqual([null, 0, 2])
    expect(decoded[2]).toMatchObject({
      status: 'VALID',
      reasons: [{ code: 'SEQ_GAP', offset: 4, expected: '0', actual: '2 (2 missing)' }],
    })
  })

  it('notes a late frame, and does not let it set the order back', () => {
    const frames = [5, 3, 6].map((seq) => telemetryFrame({}, { seq, time: at(seq) }))
    expect(decodeAll(frames, { receivedAt: at(6) }).map(codesOf)).toEqual([[], ['OUT_OF_ORDER'], []])
  })

  it('takes a boot for a new count', () => {
    const boot = encodeFrame({ type: 'BOOT', seq: 0, uid, time: at(2), values: {} })
    const frames = [telemetryFrame({}, { seq: 400, time: at(1) }), boot, telemetryFrame({}, { seq: 1, time: at(3) })]
    expect(decodeAll(frames, { receivedAt: at(3) }).map(codesOf)).toEqual([[], [], []])
  })
})
