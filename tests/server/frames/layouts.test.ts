import { describe, expect, it } from 'vitest'
import { wireLayouts } from '#resources/fleet/wire-layouts.ts'
import { products } from '#resources/shared/products.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { knownLayouts, Layouts } from '#server/frames/layouts.ts'
import { decoderOf, referenceDecoder } from '#server/frames/reference-decoder.ts'
import { decode, decodeAll, healthy, home, noon, telemetryFrame, uid } from './sample-frames.ts'

/** A version in which charge has two decimals, and stands behind the grid. */
const newer = new Layouts([
  ...wireLayouts,
  {
    product: 'ESS-PCB',
    version: 2,
    types: { TELEMETRY: ['gridPowerW', { name: 'socPct', kind: 'u16', digits: 2 }, 'pvPowerW'] },
  },
])
const layout = newer.of('ESS-PCB', 2)
if (!layout) throw new Error('the version is not known')
const frame = (seq: number) =>
  encodeFrame({
    type: 'TELEMETRY',
    seq,
    uid,
    time: new Date(noon.getTime() + seq * 1000),
    values: { firmwareVersion: '3.0.0', socPct: 63.42, gridPowerW: 164, pvPowerW: 20 },
    layout,
  })
const context = { receivedAt: noon, uid, site: home, memory: {} }

describe('the layouts of payloads', () => {
  it('name a known product and every version once', () => {
    const names = wireLayouts.map(({ product, version }) => `${product} ${version}`)
    expect(new Set(names).size).toBe(names.length)
    for (const { product } of wireLayouts) expect(Object.keys(products)).toContain(product)
    expect(knownLayouts.versionsOf('ESS-PCB')).toEqual([1])
  })

  it('refuse a field that no frame has', () => {
    const row = { product: 'ESS-PCB', version: 9, types: { BOOT: ['colour'] } } as const
    expect(() => new Layouts([row])).toThrow(/colour/)
  })

  it('are chosen by the product of the board', () => {
    const link = knownLayouts.of('ESS-LINK', 1)
    if (!link) throw new Error('the product has no layout')
    const bytes = encodeFrame({ type: 'TELEMETRY', seq: 1, uid, time: noon, values: healthy, layout: link })
    const { socPct, gridPowerW, eventFlags } = healthy
    expect(decode(bytes, { product: 'ESS-LINK' })).toMatchObject({
      status: 'VALID',
      values: { socPct, gridPowerW, eventFlags },
      sample: { values: { socPct, gridPowerW, cellVoltageMinMv: null } },
    })
    const names = (product: string) => referenceDecoder.fieldsOf(bytes, [], product).map(({ name }) => name)
    expect(names('ESS-LINK').slice(-3)).toEqual(['gridMode', 'eventFlags', 'crc'])
    expect(names('ESS-PCB').slice(-2)).not.toEqual(['eventFlags', 'crc'])
  })

  it('are chosen by the version in the header', () => {
    const read = decoderOf(newer).decode(frame(1), context)
    expect(read).toMatchObject({
      status: 'VALID',
      reasons: [],
      protocolVersion: 2,
      values: { socPct: 63.42, gridPowerW: 164, pvPowerW: 20 },
      sample: { values: { socPct: 63.42, gridPowerW: 164, batteryPowerW: null } },
    })
    expect(decoderOf(newer).decode(telemetryFrame(), context)).toMatchObject({ status: 'VALID', values: healthy })
  })

  it('tell two decoders apart that read the same bytes differently', () => {
    expect(decoderOf(newer).version).not.toBe(referenceDecoder.version)
    expect(decoderOf(new Layouts(wireLayouts)).version).toBe(referenceDecoder.version)
  })
})

describe('a frame of a version that is not known', () => {
  it('is no invalid one, keeps its place among the others, and shows its payload as bytes', () => {
    const [first, second, after] = decodeAll([telemetryFrame(), frame(2), telemetryFrame({}, { seq: 3 })])
    expect(first?.status).toBe('VALID')
    expect(second).toMatchObject({
      status: 'UNKNOWN_VERSION',
      protocolVersion: 2,
      seq: 2,
      uid,
      gapBefore: 0,
      values: {},
      reasons: [{ code: 'UNSUPPORTED_VERSION', severity: 'NOTE', field: 'protocolVersion', expected: '1', actual: '2' }],
    })
    expect(second?.sample).toBeUndefined()
    expect(second?.fields.map(({ raw }) => raw).join('')).toBe(frame(2).toString('hex'))
    expect(second?.fields.map(({ name }) => name).slice(-2)).toEqual(['payload', 'crc'])
    expect(after).toMatchObject({ gapBefore: 0 })
    expect(after?.reasons.map(({ code }) => code)).not.toContain('SEQ_GAP')
  })

  it('is one of the product, too: a product without layouts has none that is known', () => {
    expect(decode(telemetryFrame(), { product: 'ESS-OTHER' })).toMatchObject({
      status: 'UNKNOWN_VERSION',
      reasons: [{ expected: '–', actual: '1' }],
    })
    expect(referenceDecoder.knows('ESS-OTHER', 1)).toBe(false)
    expect(referenceDecoder.knows(null, 1)).toBe(true)
  })

  it('is INVALID when it is damaged, or of another board', () => {
    const damaged = frame(1)
    damaged.writeUInt8(damaged.readUInt8(30) ^ 1, 30)
    expect(decode(damaged)).toMatchObject({ status: 'INVALID', reasons: [{ code: 'CRC_MISMATCH' }] })
    expect(decode(frame(1), { uid: 'FFFFFFFFFFFF' })).toMatchObject({ status: 'INVALID', reasons: [{ code: 'UNKNOWN_BOARD' }] })
  })
})
