import type { Row } from '#fields/field-kind.ts'
import { isObject } from '#schema/is-object.ts'

/** A frame field with its bytes; `raw` in hex. `ok`: no reason doubts it. */
export type PacketField = {
  name: string
  offset: number
  length: number
  raw: string
  value: unknown
  unit: string | null
  ok: boolean
}

export type PacketReason = {
  code: string
  severity: string
  field?: string | undefined
  offset?: number | undefined
  length?: number | undefined
  expected: string
  actual: string
  /** The byte in which one flipped bit would explain a wrong checksum. */
  suspectOffset?: number | undefined
}

/** View model of a frame; bytes as pairs of hex digits. */
export type Packet = { bytes: readonly string[]; fields: readonly PacketField[]; reasons: readonly PacketReason[] }

const objectsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

const fieldOf = (from: Record<string, unknown>): PacketField => ({
  name: textOf(from.name),
  offset: numberOf(from.offset) ?? 0,
  length: numberOf(from.length) ?? 0,
  raw: textOf(from.raw),
  value: from.value ?? null,
  unit: typeof from.unit === 'string' ? from.unit : null,
  ok: from.ok !== false,
})

const reasonOf = (from: Record<string, unknown>): PacketReason => ({
  code: textOf(from.code),
  severity: textOf(from.severity),
  field: typeof from.field === 'string' ? from.field : undefined,
  offset: numberOf(from.offset),
  length: numberOf(from.length),
  expected: textOf(from.expected),
  actual: textOf(from.actual),
  suspectOffset: numberOf(from.suspectOffset),
})

/** Bytes, fields and reasons of a packet record; undefined while only its list row is loaded. */
export function packetOf(record: Row): Packet | undefined {
  if (typeof record.raw !== 'string') return undefined
  return {
    bytes: record.raw.match(/[0-9a-f]{2}/gi) ?? [],
    fields: objectsOf(record.fields).map(fieldOf),
    reasons: objectsOf(record.reasons).map(reasonOf),
  }
}

/** Field index of every byte. */
export function fieldsByByte({ bytes, fields }: Packet): (number | undefined)[] {
  const owners: (number | undefined)[] = bytes.map(() => undefined)
  for (const [index, { offset, length }] of fields.entries()) {
    for (let at = offset; at < offset + length && at < bytes.length; at += 1) owners[at] = index
  }
  return owners
}

export type ByteMark = 'bad' | 'warn' | 'info'

const markOf: Readonly<Record<string, ByteMark>> = { ERROR: 'bad', WARNING: 'warn', NOTE: 'info' }
const rank: Record<ByteMark, number> = { info: 0, warn: 1, bad: 2 }

/** Bytes named by reasons, each with its worst severity. */
export function marksOf({ bytes, reasons }: Packet): ReadonlyMap<number, ByteMark> {
  const marks = new Map<number, ByteMark>()
  for (const { severity, offset, length = 1, suspectOffset } of reasons) {
    const mark = markOf[severity]
    if (!mark || offset === undefined) continue
    const span = Array.from({ length }, (_, step) => offset + step)
    for (const at of suspectOffset === undefined ? span : [...span, suspectOffset]) {
      const known = marks.get(at)
      if (at < bytes.length && (!known || rank[known] < rank[mark])) marks.set(at, mark)
    }
  }
  return marks
}

/** Worst severity of a field's bytes. */
export function markOfField({ offset, length }: PacketField, marks: ReadonlyMap<number, ByteMark>): ByteMark | undefined {
  const found = Array.from({ length }, (_, step) => marks.get(offset + step)).filter((mark) => mark !== undefined)
  return found.toSorted((a, b) => rank[b] - rank[a])[0]
}

/** Offsets of bytes that differ from, or are missing in, another packet. */
export function changedBytes({ bytes }: Packet, other: Packet): ReadonlySet<number> {
  return new Set(bytes.flatMap((byte, at) => (byte === other.bytes[at] ? [] : [at])))
}
