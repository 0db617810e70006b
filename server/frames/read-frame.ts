import { crc16, flippedByte } from './crc16.ts'
import type { FrameField, Reason } from './frame-decoder.ts'
import { crcBytes, emptyFrameBytes, type FrameType, headerBytes, magic, maxPayloadBytes, typeOfCode } from './frame-layout.ts'
import type { Layout } from './layouts.ts'
import { makeReason } from './make-reason.ts'
import { codecs, type Value, type WireField, widthAt } from './wire-field.ts'

/** Position of a field: offset from the start of the frame and length in bytes. */
type Span = readonly [offset: number, length: number]

const hex = (bytes: Buffer, offset: number, length: number) => bytes.toString('hex', offset, offset + length)
const sumText = (sum: number) => sum.toString(16).padStart(4, '0')

type HeadField = { name: string; span: Span; read: (bytes: Buffer, at: number) => Value }

const timeAt = (bytes: Buffer, at: number) => new Date(bytes.readUInt32BE(at) * 1000)
const uidAt = (bytes: Buffer, at: number) => hex(bytes, at, 6).toUpperCase()

const head: readonly HeadField[] = [
  { name: 'magic', span: [0, 2], read: (bytes, at) => hex(bytes, at, 2) },
  { name: 'protocolVersion', span: [2, 1], read: (bytes, at) => bytes.readUInt8(at) },
  { name: 'type', span: [3, 1], read: (bytes, at) => typeOfCode(bytes.readUInt8(at)) ?? bytes.readUInt8(at) },
  { name: 'seq', span: [4, 2], read: (bytes, at) => bytes.readUInt16BE(at) },
  { name: 'uid', span: [6, 6], read: uidAt },
  { name: 'deviceTime', span: [12, 4], read: (bytes, at) => timeAt(bytes, at).toISOString() },
  { name: 'payloadLength', span: [16, 2], read: (bytes, at) => bytes.readUInt16BE(at) },
]

const hasMagic = (bytes: Buffer) => bytes.length >= 2 && bytes.compare(magic, 0, 2, 0, 2) === 0

export type FrameHead = { type: FrameType | undefined; protocolVersion: number; seq: number; uid: string; deviceTime: Date }

/** Header values, unvalidated; undefined when the bytes are no frame or end early. */
export function readHead(bytes: Buffer): FrameHead | undefined {
  if (!hasMagic(bytes) || bytes.length < headerBytes) return undefined
  return {
    type: typeOfCode(bytes.readUInt8(3)),
    protocolVersion: bytes.readUInt8(2),
    seq: bytes.readUInt16BE(4),
    uid: uidAt(bytes, 6),
    deviceTime: timeAt(bytes, 12),
  }
}

function lengthFault(bytes: Buffer): Reason | undefined {
  if (bytes.length < emptyFrameBytes) {
    const facts = { expected: `≥ ${emptyFrameBytes} bytes`, actual: `${bytes.length} bytes` }
    return makeReason('LENGTH_MISMATCH', { offset: 0, length: bytes.length, ...facts })
  }
  const declared = bytes.readUInt16BE(16)
  const actual = bytes.length - emptyFrameBytes
  if (declared === actual && declared <= maxPayloadBytes) return undefined
  const place = { field: 'payloadLength', offset: 16, length: 2 }
  return makeReason('LENGTH_MISMATCH', { ...place, expected: `${actual}`, actual: `${declared}` })
}

function sumFault(bytes: Buffer): Reason | undefined {
  const at = bytes.length - crcBytes
  const [counted, sent] = [crc16(bytes, 0, at), bytes.readUInt16BE(at)]
  if (counted === sent) return undefined
  const suspect = flippedByte(bytes.length, counted ^ sent)
  return makeReason('CRC_MISMATCH', {
    field: 'crc',
    offset: at,
    length: crcBytes,
    expected: sumText(counted),
    actual: sumText(sent),
    ...(suspect === undefined ? {} : { suspectOffset: suspect }),
  })
}

/** The first structural fault that prevents decoding the frame for this board. The same in every version. */
export function structureFault(bytes: Buffer, uid: string): Reason | undefined {
  if (!hasMagic(bytes)) {
    const length = Math.min(2, bytes.length)
    return makeReason('BAD_MAGIC', {
      field: 'magic',
      offset: 0,
      length,
      expected: magic.toString('hex'),
      actual: hex(bytes, 0, length),
    })
  }
  const fault = lengthFault(bytes) ?? sumFault(bytes)
  if (fault) return fault
  const actual = uidAt(bytes, 6)
  return actual === uid ? undefined : makeReason('UNKNOWN_BOARD', { field: 'uid', offset: 6, length: 6, expected: uid, actual })
}

export const unknownVersion = ({ protocolVersion }: FrameHead, versions: readonly number[]): Reason =>
  makeReason('UNSUPPORTED_VERSION', {
    field: 'protocolVersion',
    offset: 2,
    length: 1,
    expected: versions.join(', ') || '–',
    actual: `${protocolVersion}`,
  })

export const unknownType = (bytes: Buffer): Reason =>
  makeReason('UNKNOWN_TYPE', { field: 'type', offset: 3, length: 1, expected: '1–6', actual: `${bytes[3]}` })

/** `spanOf`: place of a field that was sent; found when it is asked for, since few are. */
export type Payload = {
  values: Record<string, Value>
  spanOf: (name: string) => Span | undefined
  faults: Reason[]
}

const blanks = new WeakMap<readonly WireField[], Record<string, Value>>()

/** All fields of a layout without values. */
function blankOf(fields: readonly WireField[]): Record<string, Value> {
  const known = blanks.get(fields)
  if (known) return known
  const blank = Object.fromEntries(fields.map(({ name }) => [name, null]))
  blanks.set(fields, blank)
  return blank
}

function spanIn(bytes: Buffer, end: number, fields: readonly WireField[], name: string): Span | undefined {
  let at = headerBytes
  for (const field of fields) {
    const width = widthAt(bytes, at, field)
    if (at + width > end) return undefined
    if (field.name === name) return [at, width]
    at += width
  }
  return undefined
}

const isTooHigh = ({ most }: WireField, value: Value): value is number =>
  most !== undefined && typeof value === 'number' && value > most

function unreadable(field: WireField, bytes: Buffer, [offset, length]: Span): Reason {
  const actual = hex(bytes, offset, Math.min(length, 16))
  const place = { field: field.name, offset, length }
  if (field.kind === 'code') {
    const last = (field.options?.length ?? 1) - 1
    return makeReason('VALUE_OUT_OF_RANGE', { ...place, expected: `0–${last}`, actual: `${bytes[offset]}` })
  }
  return makeReason('DECODE_ERROR', { ...place, expected: field.kind, actual })
}

/**
 * Decodes the payload of a well-formed frame by its layout. A payload that ends within a field, or before the minimum, is a
 * fault.
 */
export function readPayload(bytes: Buffer, type: FrameType, layout: Layout): Payload {
  const fields = layout.fieldsOf(type)
  const end = bytes.length - crcBytes
  const values = { ...blankOf(fields) }
  const result: Payload = { values, spanOf: (name) => spanIn(bytes, end, fields, name), faults: [] }
  let at = headerBytes
  const least = layout.leastOf(type)
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]
    if (!field || (at === end && index >= least)) break
    const width = widthAt(bytes, at, field)
    if (at + width > end) {
      const facts = { expected: `${width} bytes`, actual: `${end - at} bytes` }
      result.faults.push(makeReason('DECODE_ERROR', { field: field.name, offset: at, length: end - at, ...facts }))
      return result
    }
    const value = codecs[field.kind].read(bytes, at, field, width)
    if (value === undefined) result.faults.push(unreadable(field, bytes, [at, width]))
    else if (isTooHigh(field, value)) {
      const facts = { expected: `0–${field.most}`, actual: `${value}` }
      result.faults.push(makeReason('VALUE_OUT_OF_RANGE', { field: field.name, offset: at, length: width, ...facts }))
    } else if (value !== null) values[field.name] = value
    at += width
  }
  if (at < end) {
    const facts = { expected: `${at - headerBytes} bytes`, actual: `${end - headerBytes} bytes` }
    result.faults.push(makeReason('UNSUPPORTED_FIELD', { offset: at, length: end - at, ...facts }))
  }
  return result
}

type Piece = { name: string; span: Span; value: Value; unit?: string | undefined }

/** Finds the layout for the version in a frame's header. */
export type LayoutFinder = (version: number) => Layout | undefined

function payloadPieces(bytes: Buffer, end: number, find: LayoutFinder): Piece[] {
  const head = readHead(bytes)
  const fields = head?.type && find(head.protocolVersion)?.fieldsOf(head.type)
  const pieces: Piece[] = []
  let at = headerBytes
  for (const field of fields || []) {
    const width = widthAt(bytes, at, field)
    if (at + width > end) break
    const value = codecs[field.kind].read(bytes, at, field, width) ?? null
    pieces.push({ name: field.name, span: [at, width], value, unit: field.unit })
    at += width
  }
  if (at < end) pieces.push({ name: fields ? 'rest' : 'payload', span: [at, end - at], value: null })
  return pieces
}

function headPieces(bytes: Buffer): Piece[] {
  return head
    .filter(({ span }) => span[0] + span[1] <= bytes.length)
    .map(({ name, span, read }) => ({ name, span, value: read(bytes, span[0]) }))
}

function withRest(bytes: Buffer, pieces: Piece[]): Piece[] {
  const end = pieces.reduce((_, { span: [offset, length] }) => offset + length, 0)
  return end < bytes.length ? [...pieces, { name: 'rest', span: [end, bytes.length - end], value: null }] : pieces
}

function allPieces(bytes: Buffer, find: LayoutFinder): Piece[] {
  if (!hasMagic(bytes)) return bytes.length === 0 ? [] : [{ name: 'unknown', span: [0, bytes.length], value: null }]
  if (bytes.length < emptyFrameBytes) return withRest(bytes, headPieces(bytes))
  const end = bytes.length - crcBytes
  const sum: Piece = { name: 'crc', span: [end, crcBytes], value: hex(bytes, end, crcBytes) }
  return [...headPieces(bytes), ...payloadPieces(bytes, end, find), sum]
}

/** All decodable fields with their bytes, also of corrupt frames. */
export function readFields(
  bytes: Buffer,
  reasons: readonly Pick<Reason, 'field' | 'severity'>[],
  find: LayoutFinder,
): FrameField[] {
  const doubted = new Set(reasons.filter(({ severity }) => severity !== 'NOTE').map(({ field }) => field))
  return allPieces(bytes, find).map(({ name, span: [offset, length], value, unit }) => {
    const raw = hex(bytes, offset, length)
    return { name, offset, length, raw, value, unit: unit ?? null, ok: !doubted.has(name) }
  })
}
