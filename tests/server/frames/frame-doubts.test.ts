import { describe, expect, it } from 'vitest'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { codesOf, decode, decodeAll, noon, telemetryFrame, uid } from './sample-frames.ts'

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

  it('finds a sensor that stands still for 256 samples while the current moves, and trusts it again when it moves', () => {
    const still = Array.from({ length: 260 }, (_, seq) => {
      const batteryCurrentA = 10 + (seq % 30)
      return telemetryFrame(
        {
          batteryCurrentA,
          batteryPowerW: Math.round(batteryCurrentA * 52),
          batteryVoltageV: 52 + seq / 1000,
          cellVoltageMinMv: 3200 + (seq % 7),
          cellVoltageAvgMv: 3240 + (seq % 7),
          cellVoltageMaxMv: 3280 + (seq % 7),
          cellTempMinC: 20 + (seq % 2) / 10,
          cellTempAvgC: 21,
          cellTempMaxC: 22 + (seq % 2) / 10,
          mosfetTempC: 30 + (seq % 9),
        },
        { seq, time: at(seq) },
      )
    })
    const moved = telemetryFrame({ cellTempAvgC: 21.4, batteryVoltageV: 52.3 }, { seq: 260, time: at(260) })
    const codes = decodeAll([...still, moved], { receivedAt: at(260) }).map(codesOf)
    expect(codes.findIndex((found) => found.includes('SENSOR_STUCK'))).toBe(255)
    expect(codes[259]).toEqual(['SENSOR_STUCK'])
    expect(codes[260]).toEqual([])
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
