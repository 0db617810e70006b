import type { Unit } from '#schema/format/units.ts'
import type { SiteFacts } from './site-facts.ts'

/** A decoded value: a scaled number, a code's name, a version, a text, or a configuration's JSON. Null = not sent. */
export type Value = number | string | boolean | null | readonly Value[] | { readonly [key: string]: Value }

export type Limits = readonly [min: number, max: number]

/** One field of a payload: its encoding and meaning. */
export type WireField = {
  name: string
  kind: WireKind
  /** Decimals in the integer: 1 = tenths. */
  digits?: number
  unit?: Unit
  /** Names of the codes, from 0. */
  options?: readonly string[]
  /** It was added to its type later: older firmware ends before it. */
  isLater?: true
  /** A higher value is out of range, although the wire has room for it. */
  most?: number
  /** Outside of them a value is impossible at this site. */
  limits?: (site: SiteFacts) => Limits
}

type WireKind =
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 'i16'
  | 'i32'
  | 'code'
  | 'version'
  | 'place'
  | 'letters'
  | 'uuid'
  | 'text'
  | 'json'

/** Byte encoding of a kind. Big endian; an unmeasured value is the SunSpec sentinel of its width. */
type Codec = {
  /** Undefined for length-prefixed fields: their first two bytes are the length. */
  width: number | undefined
  /** Undefined when the bytes are no valid value. All bytes are present. */
  read: (bytes: Buffer, at: number, field: WireField, width: number) => Value | undefined
  /** Throws a RangeError when the value does not fit. */
  write: (value: Value, field: WireField) => Buffer
}

const refuse = (field: WireField, value: Value): never => {
  throw new RangeError(`${field.name}: ${JSON.stringify(value)} can not be sent as ${field.kind}`)
}

const powers = [1, 10, 100, 1000]
const scaleOf = ({ digits = 0 }: WireField) => powers[digits] ?? 1

function whole(value: Value, field: WireField, [min, max]: Limits): number {
  const raw = typeof value === 'number' ? Math.round(value * scaleOf(field)) : Number.NaN
  return raw >= min && raw <= max ? raw : Number(refuse(field, value))
}

type Integer = { width: number; sentinel: number; range: Limits }

function integer({ width, sentinel, range }: Integer): Codec {
  const signed = range[0] < 0
  return {
    width,
    read: (bytes, at, field) => {
      const raw = signed ? bytes.readIntBE(at, width) : bytes.readUIntBE(at, width)
      return raw === sentinel ? null : raw / scaleOf(field)
    },
    write: (value, field) => {
      const bytes = Buffer.alloc(width)
      const raw = value === null ? sentinel : whole(value, field, range)
      if (signed) bytes.writeIntBE(raw, 0, width)
      else bytes.writeUIntBE(raw, 0, width)
      return bytes
    },
  }
}

const unsigned = (width: number) => {
  const sentinel = 2 ** (width * 8) - 1
  return integer({ width, sentinel, range: [0, sentinel - 1] })
}
const signed = (width: number) => {
  const edge = 2 ** (width * 8 - 1)
  return integer({ width, sentinel: -edge, range: [1 - edge, edge - 1] })
}

const wide: Codec = {
  width: 8,
  read: (bytes, at) => {
    const raw = bytes.readBigUInt64BE(at)
    if (raw === 0xffff_ffff_ffff_ffffn) return null
    return raw <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(raw) : undefined
  },
  write: (value, field) => {
    const bytes = Buffer.alloc(8, 0xff)
    if (value !== null) bytes.writeBigUInt64BE(BigInt(whole(value, field, [0, Number.MAX_SAFE_INTEGER])))
    return bytes
  },
}

const code: Codec = {
  width: 1,
  read: (bytes, at, { options }) => (bytes[at] === 0xff ? null : options?.[bytes[at] ?? 0]),
  write: (value, field) => {
    const index = value === null ? 0xff : (field.options?.indexOf(String(value)) ?? -1)
    return Buffer.from([index < 0 ? Number(refuse(field, value)) : index])
  },
}

const versionPattern = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/
const version: Codec = {
  width: 6,
  read: (bytes, at) => {
    const parts = [0, 2, 4].map((step) => bytes.readUInt16BE(at + step))
    return parts.every((part) => part === 0xffff) ? null : parts.join('.')
  },
  write: (value, field) => {
    const bytes = Buffer.alloc(6, 0xff)
    if (value === null) return bytes
    const parts = versionPattern.exec(String(value))?.slice(1).map(Number) ?? []
    if (parts.length < 3 || parts.some((part) => part > 0xfffe)) refuse(field, value)
    for (const [index, part] of parts.entries()) bytes.writeUInt16BE(part, index * 2)
    return bytes
  },
}

/** Module and cell, counted from 1: "m3/c07". */
const place: Codec = {
  width: 2,
  read: (bytes, at) => {
    const [module = 0xff, cell = 0xff] = bytes.subarray(at, at + 2)
    return module === 0xff && cell === 0xff ? null : `m${module}/c${String(cell).padStart(2, '0')}`
  },
  write: (value, field) => {
    if (value === null) return Buffer.from([0xff, 0xff])
    const parts = /^m(\d{1,3})\/c(\d{1,3})$/.exec(String(value))?.slice(1).map(Number) ?? []
    if (parts.length < 2 || parts.some((part) => part > 0xfe)) refuse(field, value)
    return Buffer.from(parts)
  },
}

/** Two letters, as in a hardware revision. */
const letters: Codec = {
  width: 2,
  read: (bytes, at) => {
    const text = bytes.toString('latin1', at, at + 2)
    return text === 'ÿÿ' ? null : /^[\x21-\x7e]{2}$/.test(text) ? text : undefined
  },
  write: (value, field) => {
    if (value === null) return Buffer.from([0xff, 0xff])
    return /^[\x21-\x7e]{2}$/.test(String(value)) ? Buffer.from(String(value), 'latin1') : refuse(field, value)
  },
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const uuid: Codec = {
  width: 16,
  read: (bytes, at) => {
    const hex = bytes.toString('hex', at, at + 16)
    if (/^f{32}$/.test(hex)) return null
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  },
  write: (value, field) => {
    if (value === null) return Buffer.alloc(16, 0xff)
    return uuidPattern.test(String(value)) ? Buffer.from(String(value).replaceAll('-', ''), 'hex') : refuse(field, value)
  },
}

function counted(text: string, field: WireField): Buffer {
  const content = Buffer.from(text)
  if (content.length > 0xffff) refuse(field, text)
  return Buffer.concat([Buffer.from([content.length >> 8, content.length & 0xff]), content])
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
function decodeText(bytes: Buffer, at: number, width: number): string | undefined {
  try {
    const text = utf8.decode(bytes.subarray(at + 2, at + width))
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}

const text: Codec = {
  width: undefined,
  read: (bytes, at, _field, width) => (width === 2 ? null : decodeText(bytes, at, width)),
  write: (value, field) => counted(value === null ? '' : String(value), field),
}

const deepest = 8
/** False for valid JSON that the database cannot store: lone surrogates, NUL, excessive nesting. */
export function isKeepable(value: Value, depth = 0): boolean {
  if (typeof value === 'string') return !/[\0\p{Surrogate}]/u.test(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= deepest) return false
  return Object.entries(value).every(([key, item]) => isKeepable(key) && isKeepable(item, depth + 1))
}

function parseObject(source: string): Value | undefined {
  try {
    const value: Value = JSON.parse(source)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && isKeepable(value) ? value : undefined
  } catch {
    return undefined
  }
}

const json: Codec = {
  width: undefined,
  read: (bytes, at, _field, width) => {
    if (width === 2) return null
    const source = decodeText(bytes, at, width)
    return source === undefined ? undefined : parseObject(source)
  },
  write: (value, field) => counted(value === null ? '' : JSON.stringify(value), field),
}

export const codecs = {
  u8: unsigned(1),
  u16: unsigned(2),
  u32: unsigned(4),
  u64: wide,
  i16: signed(2),
  i32: signed(4),
  code,
  version,
  place,
  letters,
  uuid,
  text,
  json,
} as const satisfies Record<WireKind, Codec>

/** Bytes that a field takes at this offset; more than are left when its length does not fit. */
export function widthAt(bytes: Buffer, at: number, { kind }: WireField): number {
  const { width } = codecs[kind]
  if (width !== undefined) return width
  return at + 2 <= bytes.length ? 2 + bytes.readUInt16BE(at) : 2
}
