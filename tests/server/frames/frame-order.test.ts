import { describe, expect, it } from 'vitest'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { codesOf, decode, decodeAll, noon, telemetryFrame, uid } from './sample-frames.ts'

const minuteMs = 60_000
const at = (minutes: number) => new Date(noon.getTime() + minutes * minuteMs)
const dayMin = 24 * 60
const keptSince = at(-60 * dayMin)

describe('a frame with a wrong clock', () => {
  it('says nothing of the order: what comes after it follows from what came before it', () => {
    const frames = [
      telemetryFrame({}, { seq: 40_000, time: at(0) }),
      telemetryFrame({}, { seq: 30_000, time: at(-9 * dayMin) }),
      telemetryFrame({}, { seq: 40_001, time: at(1) }),
    ]
    const decoded = decodeAll(frames, { receivedAt: at(1) })
    expect(decoded.map(codesOf)).toEqual([[], ['CLOCK_PAST'], []])
    expect(decoded.map(({ gapBefore }) => gapBefore)).toEqual([null, null, 0])
    expect(decoded[1]?.memory).toEqual(decoded[0]?.memory)
  })
})

describe('the clock of a board', () => {
  const first = telemetryFrame({}, { seq: 1, time: at(-8 * dayMin) })
  const late = (values = {}) => telemetryFrame(values, { seq: 2, time: at(1 - 8 * dayMin) })
  const memory = decode(first, { receivedAt: at(-8 * dayMin) }).memory

  it('is believed after eight days without a line, for it ran on since it was right', () => {
    const decoded = decode(late(), { memory, keptSince })
    expect(decoded).toMatchObject({ status: 'VALID', sample: { at: at(1 - 8 * dayMin), quality: 'GOOD' } })
  })

  it('is not believed when the board has restarted meanwhile, nor for longer than samples are kept', () => {
    expect(codesOf(decode(late({ rebootCount: 4 }), { memory, keptSince }))).toContain('CLOCK_PAST')
    expect(codesOf(decode(late(), { memory, keptSince: at(-7.5 * dayMin) }))).toContain('CLOCK_PAST')
    expect(codesOf(decode(late(), { memory }))).toContain('CLOCK_PAST')
  })

  it('is believed of a frame from earlier in the run that its newest frame is of', () => {
    const live = decode(telemetryFrame({}, { seq: 11_521 }), { keptSince }).memory
    const kept = (seq: number, values = {}) =>
      decode(telemetryFrame(values, { seq, time: at(-8 * dayMin) }), { memory: live, keptSince })
    expect(kept(1)).toMatchObject({ status: 'VALID', sample: { at: at(-8 * dayMin), quality: 'GOOD' }, memory: live })
    expect(codesOf(kept(1))).toEqual(['OUT_OF_ORDER'])
    expect(codesOf(kept(60_000))).toEqual(['OUT_OF_ORDER'])
    expect(codesOf(kept(1, { rebootCount: 2 }))).toEqual(['CLOCK_PAST'])
    expect(codesOf(kept(11_522))).toEqual(['CLOCK_PAST'])
  })
})

describe('a restart', () => {
  it('is known by the count of restarts when its boot was lost: no frame is missing', () => {
    const frames = [
      telemetryFrame({ rebootCount: 3 }, { seq: 40_000, time: at(0) }),
      telemetryFrame({ rebootCount: 4 }, { seq: 1, time: at(1) }),
      telemetryFrame({ rebootCount: 4 }, { seq: 2, time: at(2) }),
    ]
    const decoded = decodeAll(frames, { receivedAt: at(2) })
    expect(decoded.map(codesOf)).toEqual([[], [], []])
    expect(decoded.map(({ gapBefore }) => gapBefore)).toEqual([null, 0, 0])
  })

  it('makes a frame from before it late, whatever its number', () => {
    const frames = [
      telemetryFrame({ rebootCount: 4 }, { seq: 5, time: at(10) }),
      telemetryFrame({ rebootCount: 3 }, { seq: 20, time: at(2) }),
      telemetryFrame({ rebootCount: 4 }, { seq: 6, time: at(11) }),
    ]
    expect(decodeAll(frames, { receivedAt: at(11) }).map(codesOf)).toEqual([[], ['OUT_OF_ORDER'], []])
  })

  it('is no late frame although its clock begins in the past', () => {
    const boot = encodeFrame({ type: 'BOOT', seq: 0, uid, time: at(3), values: { rebootCount: 4, firmwareVersion: '2.2.0' } })
    const frames = [telemetryFrame({}, { seq: 400, time: at(10) }), boot]
    expect(decodeAll(frames, { receivedAt: at(11) }).map(codesOf)).toEqual([[], []])
  })

  it('with a count that began again is followed, too', () => {
    const frames = [
      telemetryFrame({ rebootCount: 9 }, { seq: 400, time: at(0) }),
      telemetryFrame({ rebootCount: 0 }, { seq: 7, time: at(1) }),
    ]
    expect(decodeAll(frames, { receivedAt: at(1) }).map(codesOf)).toEqual([[], []])
  })
})

describe('missing frames', () => {
  it('are no longer missing when they come late, each once, and only those that were counted', () => {
    const order = [1, 5, 3, 2, 0, 4, 6]
    const frames = order.map((seq) => telemetryFrame({}, { seq, time: at(seq) }))
    const decoded = decodeAll(frames, { receivedAt: at(6) })
    expect(decoded.map(({ gapBefore }) => gapBefore)).toEqual([null, 3, null, null, null, null, 0])
    expect(decoded.map(({ missedAt }) => missedAt?.getTime())).toEqual([
      undefined,
      undefined,
      at(6).getTime(),
      at(6).getTime(),
      undefined,
      at(6).getTime(),
      undefined,
    ])
    expect(decoded.at(-1)?.memory.gaps).toEqual([])
  })
})
