import { crc16 } from './crc16.ts'
import {
  crcBytes,
  emptyFrameBytes,
  type FieldName,
  type FrameType,
  headerBytes,
  magic,
  maxPayloadBytes,
  typeCode,
} from './frame-layout.ts'
import { firstLayout, type Layout } from './layouts.ts'
import { codecs, type Value } from './wire-field.ts'

export type FrameToEncode<T extends FrameType = FrameType> = {
  type: T
  /** Sequence number of the board's frames, wrapping after 65 535. */
  seq: number
  /** 12 hex digits. */
  uid: string
  /** Time by the board's clock, sent in whole seconds. */
  time: Date
  /** Omitted values are sent as not measured. */
  values: Partial<Record<FieldName<T>, Value>>
  /** Default: version 1 of the control board. */
  layout?: Layout
}

/** Encodes a frame. Throws a RangeError that names the field whose value does not fit. */
export function encodeFrame<T extends FrameType>(given: FrameToEncode<T>): Buffer {
  const { type, seq, uid, time, layout = firstLayout } = given
  const values: Readonly<Record<string, Value | undefined>> = given.values
  const fields = layout.fieldsOf(type)
  const payload = Buffer.concat(fields.map((field) => codecs[field.kind].write(values[field.name] ?? null, field)))
  if (payload.length > maxPayloadBytes) throw new RangeError(`A payload of ${payload.length} bytes is too long`)
  if (!/^[0-9A-Fa-f]{12}$/.test(uid)) throw new RangeError(`${uid} is no uid of 6 bytes`)
  const frame = Buffer.alloc(emptyFrameBytes + payload.length)
  magic.copy(frame)
  frame.writeUInt8(layout.version, 2)
  frame.writeUInt8(typeCode(type), 3)
  frame.writeUInt16BE(seq & 0xffff, 4)
  frame.write(uid, 6, 'hex')
  frame.writeUInt32BE(Math.floor(time.getTime() / 1000), 12)
  frame.writeUInt16BE(payload.length, 16)
  payload.copy(frame, headerBytes)
  const end = frame.length - crcBytes
  frame.writeUInt16BE(crc16(frame, 0, end), end)
  return frame
}
