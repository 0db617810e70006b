import { warnings } from '#resources/fleet/warnings/warnings.ts'
import type { Product } from '#resources/shared/products.ts'
import { crc16 } from '#server/frames/crc16.ts'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { FrameStatus } from '#server/frames/frame-decoder.ts'
import { crcBytes, type FrameType, headerBytes } from '#server/frames/frame-layout.ts'
import { firstLayout, knownLayouts } from '#server/frames/layouts.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import type { Value } from '#server/frames/wire-field.ts'

const uid = '001A2B3C4D5E'
const time = new Date('2026-03-02T12:00:00.000Z')
const sensorFault = 2 ** warnings.SENSOR_FAULT.flag.bit
const updateId = '01890000-0000-7000-8000-000000000001'
const status = {
  firmwareVersion: '2.1.3',
  transport: 'LTE',
  resetReason: 'POWER_ON',
  rebootCount: 3,
  uptimeS: 86_400,
  rssiDbm: -71,
  supplyMv: 12_040,
  boardTempC: 31.5,
  freeHeapB: 123_456,
} as const
const sample = {
  ...status,
  socPct: 63.4,
  sohPct: 98.2,
  batteryPowerW: 1_536,
  batteryVoltageV: 52.48,
  batteryCurrentA: 29.5,
  energyAvailableWh: 6_490,
  cellVoltageMinMv: 3_276,
  cellVoltageAvgMv: 3_280,
  cellVoltageMaxMv: 3_284,
  cellVoltageMinPos: 'm1/c07',
  cellVoltageMaxPos: 'm2/c16',
  cellTempMinC: 21.3,
  cellTempAvgC: 22.1,
  cellTempMaxC: 23.4,
  ambientTempC: -4.5,
  pvPowerW: 0,
  loadPowerW: 1_700,
  gridPowerW: 164,
  gridVoltageL1V: 230.4,
  gridFrequencyHz: 49.98,
  chargeEnergyWh: 5_000_000_000,
  dischargeEnergyWh: 4_500_000_000,
  cycleCount: 431.25,
  chargeState: 'DISCHARGING',
  bankState: 'CONNECTED',
  gridMode: 'ON_GRID',
  eventFlags: 0,
} as const

function made<T extends FrameType>(type: T, seq: number, values: FrameToEncode<T>['values'], layout = firstLayout): Buffer {
  return encodeFrame({ type, seq, uid, time, values, layout })
}
const changed = (bytes: Buffer, at: number, value: number) => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(value, at)
  return copy
}
/** The same frame with another payload and matching checksums. */
function withPayload(frame: Buffer, payload: Buffer, version = frame.readUInt8(2)): Buffer {
  const bytes = Buffer.concat([frame.subarray(0, headerBytes), payload, Buffer.alloc(crcBytes)])
  bytes.writeUInt8(version, 2)
  bytes.writeUInt16BE(payload.length, 16)
  const end = bytes.length - crcBytes
  bytes.writeUInt16BE(crc16(bytes, 0, end), end)
  return bytes
}
const payloadOf = (frame: Buffer) => frame.subarray(headerBytes, frame.length - crcBytes)
const whole = made('TELEMETRY', 19, sample)
const linkLayout = knownLayouts.of('ESS-LINK', 1)

const heartbeat = made('HEARTBEAT', 8, status)
const progress = (state: string, more = {}) =>
  ({ ...status, updateId, state, progressPct: 40, receivedB: 80_000, toVersion: '2.2.0', ...more }) as const

const frames: readonly [title: string, bytes: Buffer, product?: Product][] = [
  ['A sample', made('TELEMETRY', 1, sample)],
  [
    'A sample while charging: power and current are negative',
    made('TELEMETRY', 2, {
      ...sample,
      batteryPowerW: -2_048,
      batteryCurrentA: -39.02,
      chargeState: 'CHARGING',
      gridPowerW: 3_748,
    }),
  ],
  ['A sample of which nothing was measured', made('TELEMETRY', 3, status)],
  [
    'The greatest values that fit',
    made('TELEMETRY', 4, { ...sample, energyAvailableWh: 4_294_967_294, chargeEnergyWh: Number.MAX_SAFE_INTEGER }),
  ],
  ['A charge above 100 %: kept without it', made('TELEMETRY', 5, { ...sample, socPct: 130 })],
  ['Flags that are raised', made('TELEMETRY', 6, { ...sample, eventFlags: 0x8000_0001 })],
  ['A heartbeat', heartbeat],
  ['A heartbeat that knows nothing of itself', made('HEARTBEAT', 9, {})],
  [
    'An event about a cell',
    made('EVENT', 10, {
      ...status,
      eventFlags: sensorFault,
      raisedFlags: sensorFault,
      clearedFlags: 0,
      subject: 'm3/c07',
      value: 3_652.5,
    }),
  ],
  [
    'A configuration is applied',
    made('CONFIG_ACK', 11, {
      ...status,
      configVersion: 7,
      result: 'APPLIED',
      configuration: { reportIntervalS: 30, socMinPct: 15 },
    }),
  ],
  [
    'A configuration is refused',
    made('CONFIG_ACK', 12, { ...status, configVersion: 8, result: 'REJECTED', rejectReason: 'socMinPct must be 5 to 50' }),
  ],
  [
    'A change on site is reported',
    made('CONFIG_ACK', 13, {
      ...status,
      configVersion: 7,
      result: 'REPORTED',
      configuration: { reportIntervalS: 30, socMinPct: 20 },
    }),
  ],
  ['An image is loaded', made('FW_PROGRESS', 14, progress('DOWNLOADING'))],
  ['An update fails', made('FW_PROGRESS', 15, progress('FAILED', { failure: 'CHECKSUM' }))],
  [
    'A start after an update',
    made('BOOT', 16, {
      ...status,
      firmwareVersion: '2.2.0',
      resetReason: 'FW_UPDATE',
      bootloaderVersion: '1.2.0',
      previousVersion: '2.1.3',
      hardwareRevision: 'B1',
      product: 'ESS-PCB',
    }),
  ],
  ['One bit is flipped', changed(heartbeat, 30, heartbeat.readUInt8(30) ^ 1)],
  ['The first byte is wrong', changed(heartbeat, 0, 0xe4)],
  ['The end is missing', heartbeat.subarray(0, 24)],
  ['The frame of another board', encodeFrame({ type: 'HEARTBEAT', seq: 17, uid: '00FFFFFFFFFF', time, values: status })],
  ['A clock that starts in 1970', encodeFrame({ type: 'HEARTBEAT', seq: 18, uid, time: new Date(90_000), values: status })],
  [
    'An older board: what its sample leaves out at the end was not measured',
    withPayload(whole, payloadOf(whole).subarray(0, payloadOf(whole).length - 7)),
  ],
  [
    'A newer board: bytes after the last known field are kept',
    withPayload(whole, Buffer.concat([payloadOf(whole), Buffer.from('0102', 'hex')])),
  ],
  ['A version of the protocol that is not known: kept until it is', withPayload(whole, payloadOf(whole), 2)],
  ['A sample of a link board', made('TELEMETRY', 20, sample, linkLayout), 'ESS-LINK'],
]

export type Vector = {
  title: string
  hex: string
  /** Product of the board; default: the first one. */
  product?: Product
  type: string
  status: FrameStatus
  reasons: string[]
  values: Record<string, Value>
}

/** Decodes a frame of the vectors' board, a second after its time, at no site. */
export function readVector(bytes: Buffer, product?: Product): Omit<Vector, 'title' | 'hex'> {
  const receivedAt = new Date(time.getTime() + 1_000)
  const {
    type,
    status: found,
    reasons,
    values,
  } = referenceDecoder.decode(bytes, { receivedAt, uid, product, site: undefined, memory: {} })
  const codes = reasons.map(({ code }) => code).filter((code) => code !== 'NOT_ATTACHED')
  const measured = Object.entries(values).filter(([, value]) => value !== null)
  return { ...(product && { product }), type, status: found, reasons: codes, values: Object.fromEntries(measured) }
}

export const vectorFacts = { uid, time: time.toISOString() }

export const vectors = (): Vector[] =>
  frames.map(([title, bytes, product]) => ({ title, hex: bytes.toString('hex'), ...readVector(bytes, product) }))
