import { encodeFrame, type FrameToEncode } from '#server/frames/encode-frame.ts'
import type { FrameType } from '#server/frames/frame-layout.ts'
import type { Value } from '#server/frames/wire-field.ts'
import { hashText, swingOf, unitOf } from './chance.ts'
import type { FaultKind } from './faults.ts'

/** State of a board that survives its restart. */
export type BoardSelf = {
  uid: string
  hardwareRevision: string
  firmwareVersion: string
  previousVersion: string | null
  bootloaderVersion: string
  transport: 'LTE' | 'WIFI' | 'ETH'
  resetReason: 'POWER_ON' | 'BROWNOUT' | 'WATCHDOG' | 'SOFTWARE' | 'FW_UPDATE'
  rebootCount: number
  bootedMs: number
  seq: number
}

export type Moment = { timeMs: number; active: ReadonlySet<FaultKind> }

const bitFlipChance = 0.005

function statusOf(self: BoardSelf, { timeMs, active }: Moment) {
  const seed = hashText(self.uid)
  const second = Math.floor(timeMs / 1000)
  const strength = -55 - 40 * unitOf(seed, 0, 30)
  return {
    firmwareVersion: self.firmwareVersion,
    transport: self.transport,
    resetReason: self.resetReason,
    rebootCount: self.rebootCount,
    uptimeS: Math.max(0, Math.round((timeMs - self.bootedMs) / 1000)),
    rssiDbm: self.transport === 'ETH' ? null : Math.round(strength + 4 * swingOf(seed, second, 31)),
    supplyMv: Math.round((active.has('BROWNOUTS') ? 11_000 : 12_050) + 150 * swingOf(seed, second, 32)),
    boardTempC: 31 + 6 * unitOf(seed, 0, 33) + 2 * swingOf(seed, Math.floor(second / 600), 34),
    freeHeapB: Math.round(90_000 + 20_000 * swingOf(seed, Math.floor(second / 60), 35)),
  }
}

/** A clock that lost its time restarts at 1970. */
const clockOf = (self: BoardSelf, { timeMs, active }: Moment) =>
  new Date(active.has('CLOCK_1970') ? Math.max(0, timeMs - self.bootedMs) : timeMs)

/** Flips one bit: rarely on a bad line, always where nothing arrives intact. */
function damaged(bytes: Buffer, self: BoardSelf, { active }: Moment): Buffer {
  const chance = active.has('GARBLED') ? 1 : active.has('BIT_FLIPS') ? bitFlipChance : 0
  if (chance === 0) return bytes
  const seed = hashText(self.uid)
  if (unitOf(seed, self.seq, 36) >= chance) return bytes
  const bit = Math.floor(unitOf(seed, self.seq, 37) * bytes.length * 8)
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return bytes
}

/** The next frame of a board; increments the sequence number. */
export function frameOf<T extends FrameType>(
  self: BoardSelf,
  type: T,
  values: FrameToEncode<T>['values'] & Readonly<Record<string, Value>>,
  moment: Moment,
): Buffer {
  self.seq = (self.seq + 1) & 0xffff
  const all = { ...statusOf(self, moment), ...values }
  const bytes = encodeFrame<FrameType>({ type, seq: self.seq, uid: self.uid, time: clockOf(self, moment), values: all })
  return damaged(bytes, self, moment)
}
