import type { ChannelIn } from '#resources/fleet/channel-of.ts'
import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { BoardMemory, DecodedFrame, FrameContext } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import type { SiteFacts } from '#server/frames/site-facts.ts'

export const uid = '0011AABBCCDD'
export const noon = new Date('2026-03-02T12:00:00.000Z')

/** A home of 16 LFP cells with 5 kW. */
export const home: SiteFacts = {
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 10_240,
  ratedChargePowerW: 5_000,
  ratedDischargePowerW: 5_000,
  cellsInSeries: 16,
  pvPeakPowerW: 6_000,
  gridConnectionLimitW: 11_000,
}

/** Values of a healthy board and its battery. */
export const healthy = {
  firmwareVersion: '2.1.3',
  transport: 'LTE',
  resetReason: 'POWER_ON',
  rebootCount: 3,
  uptimeS: 86_400,
  rssiDbm: -71,
  supplyMv: 12_040,
  boardTempC: 31.5,
  freeHeapB: 123_456,
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
  mosfetTempC: 38.2,
  ambientTempC: -4.5,
  chargeCurrentLimitA: 98.5,
  dischargeCurrentLimitA: 100,
  pvPowerW: 0,
  loadPowerW: 1_700,
  gridPowerW: 164,
  gridVoltageL1V: 230.4,
  gridVoltageL2V: 229.8,
  gridVoltageL3V: 231.2,
  gridFrequencyHz: 49.98,
  chargeEnergyWh: 5_000_000_000,
  dischargeEnergyWh: 4_500_000_000,
  pvEnergyWh: 9_000_000,
  loadEnergyWh: 11_000_000,
  gridImportEnergyWh: 3_000_000,
  gridExportEnergyWh: 1_200_000,
  cycleCount: 412.37,
  chargeState: 'DISCHARGING',
  bankState: 'CONNECTED',
  gridMode: 'ON_GRID',
  eventFlags: 0,
} as const satisfies Record<ChannelIn<'sample' | 'status'>, number | string> & TelemetryValues

export type TelemetryValues = FrameToEncode<'TELEMETRY'>['values']

/** A telemetry frame of the healthy board, a second after noon per sequence number. */
export const telemetryFrame = (
  values: TelemetryValues = {},
  facts: { seq?: number; time?: Date; uid?: string } = {},
): Buffer => {
  const { seq = 1, time = noon } = facts
  return encodeFrame({ type: 'TELEMETRY', seq, uid: facts.uid ?? uid, time, values: { ...healthy, ...values } })
}

export const decode = (bytes: Buffer, context: Partial<FrameContext> = {}): DecodedFrame =>
  referenceDecoder.decode(bytes, { receivedAt: noon, uid, site: home, memory: {}, ...context })

/** Decodes frames one after the other, each with the memory of those before. */
export function decodeAll(frames: readonly Buffer[], context: Partial<FrameContext> = {}): DecodedFrame[] {
  let memory: BoardMemory = {}
  return frames.map((frame) => {
    const decoded = decode(frame, { ...context, memory })
    memory = decoded.memory
    return decoded
  })
}

export const codesOf = ({ reasons }: DecodedFrame): string[] => reasons.map(({ code }) => code)
