import { describe, expect, it } from 'vitest'
import { packageReasons } from '#resources/package.ts'
import { channelOf, channels, statusFields } from '#server/frames/channels.ts'
import { crc16 } from '#server/frames/crc16.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { effects } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { codecs } from '#server/frames/wire-field.ts'
import { decode, healthy, noon, telemetryFrame, uid } from './sample-frames.ts'

const flip = (frame: Buffer, byte: number, bit = 0): Buffer => {
  const copy = Buffer.from(frame)
  copy[byte] = (copy[byte] ?? 0) ^ (1 << bit)
  return copy
}
const resummed = (frame: Buffer): Buffer => {
  frame.writeUInt16BE(crc16(frame, 0, frame.length - 2), frame.length - 2)
  return frame
}

describe('a sound frame', () => {
  it('counts CRC-16/CCITT-FALSE as the standard does', () => {
    expect(crc16(Buffer.from('123456789')).toString(16)).toBe('29b1')
  })

  it('gives back every value that was encoded', () => {
    const frame = decode(telemetryFrame())
    expect(frame).toMatchObject({ type: 'TELEMETRY', status: 'VALID', seq: 1, uid, deviceTime: noon, protocolVersion: 1 })
    expect(frame.reasons).toEqual([])
    expect(frame.values).toEqual(healthy)
    expect(frame.sample?.values).toMatchObject({
      socPct: 63.4,
      chargeEnergyWh: 5_000_000_000,
      cellDeltaMv: 8,
      ambientTempC: -4.5,
    })
    expect(Object.keys(frame.sample?.values ?? {}).toSorted()).toEqual(channels.map(({ name }) => name).toSorted())
  })

  it('reads a sentinel as not measured, and never as zero', () => {
    const frame = decode(encodeFrame({ type: 'TELEMETRY', seq: 1, uid, time: noon, values: { socPct: 50 } }))
    expect(frame.status).toBe('VALID')
    expect(Object.entries(frame.values).filter(([, value]) => value !== null)).toEqual([['socPct', 50]])
  })

  it('shows every byte in exactly one field', () => {
    const bytes = telemetryFrame()
    const { fields } = decode(bytes)
    expect(fields.map(({ raw }) => raw).join('')).toBe(bytes.toString('hex'))
    expect(fields.find(({ name }) => name === 'socPct')).toMatchObject({ raw: '027a', value: 63.4, unit: '%', ok: true })
  })

  it.each([
    ['HEARTBEAT', {}],
    ['EVENT', { eventFlags: 4, raisedFlags: 4, clearedFlags: 0, subject: 'm1/c03', value: 55.5 }],
    [
      'CONFIG_ACK',
      {
        configVersion: 7,
        result: 'REJECTED',
        rejectReason: 'не поддерживается',
        configuration: { socMinPct: 15, schedule: [] },
      },
    ],
    [
      'FW_PROGRESS',
      {
        updateId: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000',
        state: 'DOWNLOADING',
        progressPct: 42,
        receivedB: 99_000,
        failure: null,
        toVersion: '2.2.0',
      },
    ],
    ['BOOT', { bootloaderVersion: '1.2.0', previousVersion: '2.1.2', hardwareRevision: 'B1' }],
  ] as const)('carries a %s', (type, values) => {
    const frame = decode(encodeFrame({ type, seq: 9, uid, time: noon, values: { firmwareVersion: '2.1.3', ...values } }))
    expect(frame).toMatchObject({ type, status: 'VALID', values: { firmwareVersion: '2.1.3', ...values } })
    expect(frame.sample).toBeUndefined()
  })

  it('refuses to encode what its bytes can not carry', () => {
    expect(() => telemetryFrame({ socPct: 7000 })).toThrow(/socPct/)
    expect(() => telemetryFrame({ chargeState: 'SLEEPING' })).toThrow(/chargeState/)
    expect(() => telemetryFrame({ socPct: Number.NaN })).toThrow(/socPct/)
  })
})

describe('a damaged frame', () => {
  it('tells both checksums of a flipped bit, and the byte that it stands in', () => {
    const sound = telemetryFrame()
    const place = decode(sound).fields.find(({ name }) => name === 'cellVoltageMinMv')?.offset ?? 0
    const frame = decode(flip(sound, place, 5))
    const sent = sound.toString('hex', sound.length - 2)
    expect(frame.status).toBe('INVALID')
    expect(frame.sample).toBeUndefined()
    expect(frame.reasons).toEqual([
      {
        code: 'CRC_MISMATCH',
        severity: 'ERROR',
        field: 'crc',
        offset: sound.length - 2,
        length: 2,
        expected: expect.stringMatching(/^[0-9a-f]{4}$/),
        actual: sent,
        suspectOffset: place,
      },
    ])
    expect(frame.reasons[0]?.expected).not.toBe(sent)
    expect(frame.fields.find(({ name }) => name === 'crc')?.ok).toBe(false)
  })

  it('finds any single flipped bit behind the length', () => {
    const sound = telemetryFrame()
    for (let byte = 18; byte < sound.length; byte++)
      expect(decode(flip(sound, byte, byte % 8)).reasons[0]).toMatchObject({ code: 'CRC_MISMATCH', suspectOffset: byte })
  })

  it.each([
    ['BAD_MAGIC', flip(telemetryFrame(), 0), { offset: 0, expected: 'e55a', actual: 'e45a' }],
    ['LENGTH_MISMATCH', telemetryFrame().subarray(0, 60), { field: 'payloadLength', offset: 16, expected: '40' }],
    ['LENGTH_MISMATCH', telemetryFrame().subarray(0, 12), { offset: 0, actual: '12 bytes' }],
    ['UNKNOWN_TYPE', resummed(flip(telemetryFrame(), 3, 6)), { offset: 3, actual: '65' }],
    [
      'UNKNOWN_BOARD',
      telemetryFrame({}, { uid: 'FFFFFFFFFFFF' }),
      { offset: 6, length: 6, expected: uid, actual: 'FFFFFFFFFFFF' },
    ],
  ])('is INVALID for %s, with its place and what was expected', (code, bytes, facts) => {
    const frame = decode(bytes)
    expect(frame).toMatchObject({ status: 'INVALID', reasons: [{ code, severity: 'ERROR', ...facts }] })
    expect(frame.sample).toBeUndefined()
  })

  it('has not measured what a shorter payload leaves out at its end', () => {
    const whole = telemetryFrame()
    const statusBytes = statusFields.reduce((sum, { kind }) => sum + (codecs[kind].width ?? 0), 0)
    const payload = statusBytes + (channelOf('chargeState')?.offset ?? 0)
    const short = Buffer.concat([whole.subarray(0, 18 + payload), Buffer.alloc(2)])
    short.writeUInt16BE(payload, 16)
    const decoded = decode(resummed(short))
    expect(decoded).toMatchObject({ status: 'VALID', values: { socPct: 63.4, eventFlags: null, gridMode: null } })
    expect(decoded.sample).toMatchObject({ quality: 'GOOD', values: { socPct: 63.4, chargeState: null } })
  })

  it('is INVALID for DECODE_ERROR when the payload ends within the status, or is no sample and ends early', () => {
    const cut = (frame: Buffer, payload: number) => {
      const short = Buffer.concat([frame.subarray(0, 18 + payload), Buffer.alloc(2)])
      short.writeUInt16BE(payload, 16)
      return decode(resummed(short))
    }
    expect(cut(telemetryFrame(), 20)).toMatchObject({
      status: 'INVALID',
      reasons: [{ code: 'DECODE_ERROR', field: 'freeHeapB' }],
    })
    const values = { updateId: '01890000-0000-7000-8000-000000000001', state: 'DOWNLOADING' }
    const progress = encodeFrame({ type: 'FW_PROGRESS', seq: 1, uid, time: noon, values })
    expect(cut(progress, 24 + 16)).toMatchObject({ status: 'INVALID', reasons: [{ code: 'DECODE_ERROR', field: 'state' }] })
  })

  it('is sound without the fields that were added to its type later, as older firmware sends it', () => {
    const values = { firmwareVersion: '2.2.0', hardwareRevision: 'B1', product: 'ESS-PCB' }
    const whole = encodeFrame({ type: 'BOOT', seq: 1, uid, time: noon, values })
    const payload = whole.readUInt16BE(16) - 1
    const short = Buffer.concat([whole.subarray(0, 18 + payload), Buffer.alloc(2)])
    short.writeUInt16BE(payload, 16)
    expect(decode(resummed(short))).toMatchObject({
      status: 'VALID',
      reasons: [],
      values: { hardwareRevision: 'B1', product: null },
    })
    expect(decode(whole)).toMatchObject({ status: 'VALID', reasons: [], values: { product: 'ESS-PCB' } })
  })

  it('is INVALID for DECODE_ERROR when the payload ends within a field', () => {
    const short = Buffer.concat([telemetryFrame().subarray(0, 18 + 25), Buffer.alloc(2)])
    short.writeUInt16BE(25, 16)
    expect(decode(resummed(short))).toMatchObject({
      status: 'INVALID',
      reasons: [{ code: 'DECODE_ERROR', field: 'socPct', expected: '2 bytes', actual: '1 bytes' }],
    })
  })

  it.each(['[1]', '{"a":"\\u0000"}', '{"a":"\\ud800"}', '{', '{"a":[[[[[[[[[1]]]]]]]]]}'])(
    'is INVALID for the configuration %s',
    (json) => {
      const sound = encodeFrame({ type: 'CONFIG_ACK', seq: 1, uid, time: noon, values: { configuration: {} } })
      const text = Buffer.from(json)
      const head = sound.subarray(0, sound.length - 6)
      const frame = Buffer.concat([head, Buffer.from([0, text.length]), text, Buffer.alloc(2)])
      frame.writeUInt16BE(frame.length - 20, 16)
      expect(decode(resummed(frame)).reasons[0]).toMatchObject({ code: 'DECODE_ERROR', field: 'configuration' })
    },
  )
})

it('notes a field that it does not know', () => {
  const sound = telemetryFrame()
  const longer = Buffer.concat([sound.subarray(0, sound.length - 2), Buffer.from([1, 2, 3]), Buffer.alloc(2)])
  longer.writeUInt16BE(longer.length - 20, 16)
  const frame = decode(resummed(longer))
  expect(frame).toMatchObject({
    status: 'VALID',
    reasons: [{ code: 'UNSUPPORTED_FIELD', offset: sound.length - 2, length: 3 }],
  })
  expect(frame.fields.find(({ name }) => name === 'rest')).toMatchObject({ raw: '010203' })
})

it('has an effect for every reason that people can read of', () => {
  expect(Object.keys(effects).toSorted()).toEqual(Object.keys(packageReasons).toSorted())
  expect(referenceDecoder.version).toMatch(/\S/)
})
