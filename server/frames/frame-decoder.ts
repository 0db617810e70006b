import type { Channel } from '#resources/fleet/channel-of.ts'
import type { packageReasons } from '#resources/package.ts'
import type { FrameType } from './frame-layout.ts'
import type { Meter } from './judge-counters.ts'
import type { SiteFacts } from './site-facts.ts'
import type { Value } from './wire-field.ts'

export type ReasonCode = keyof typeof packageReasons
/** UNKNOWN_VERSION: a sound frame of the board whose payload no layout is known for; it is kept and read once there is one. */
export type FrameStatus = 'VALID' | 'PARTIAL' | 'INVALID' | 'UNKNOWN_VERSION'

/** Its payload was read, at least in part. */
export const isRead = ({ status }: { status: FrameStatus }): boolean => status === 'VALID' || status === 'PARTIAL'

type Effect = FrameStatus | 'DUPLICATE'

/** Effect of a reason on its frame: INVALID = nothing is read, PARTIAL = doubted values are dropped, VALID = a note. */
export const effects = {
  BAD_MAGIC: 'INVALID',
  LENGTH_MISMATCH: 'INVALID',
  CRC_MISMATCH: 'INVALID',
  UNSUPPORTED_VERSION: 'UNKNOWN_VERSION',
  UNKNOWN_TYPE: 'INVALID',
  UNKNOWN_BOARD: 'INVALID',
  DECODE_ERROR: 'INVALID',
  DUPLICATE_SEQ: 'DUPLICATE',
  CLOCK_FUTURE: 'PARTIAL',
  CLOCK_PAST: 'PARTIAL',
  VALUE_OUT_OF_RANGE: 'PARTIAL',
  SENSOR_STUCK: 'PARTIAL',
  INCONSISTENT: 'PARTIAL',
  SOC_RECALIBRATED: 'VALID',
  OUT_OF_ORDER: 'VALID',
  SEQ_GAP: 'VALID',
  NOT_ATTACHED: 'VALID',
  OTHER_PRODUCT: 'VALID',
  UNSUPPORTED_FIELD: 'VALID',
  UPDATE_STATE: 'VALID',
} as const satisfies Record<ReasonCode, Effect>

export type Severity = 'ERROR' | 'WARNING' | 'NOTE'

/** `suspectOffset`: the byte in which one flipped bit would explain a wrong checksum. Offsets count from the first byte of the frame. */
export type Reason = {
  code: ReasonCode
  severity: Severity
  field?: string
  offset?: number
  length?: number
  expected: string
  actual: string
  suspectOffset?: number
}

/** `raw`: the bytes in hex. `ok`: not doubted by any reason. */
export type FrameField = {
  name: string
  offset: number
  length: number
  raw: string
  value: Value
  unit: string | null
  ok: boolean
}

type Quality = 'GOOD' | 'PARTIAL' | 'ESTIMATED'

/** Sample of a telemetry frame. `at` is the board's time, or the arrival time where its clock is wrong (`ESTIMATED`). */
export type Sample = {
  at: Date
  quality: Quality
  /** Null = not measured, or doubted. */
  values: Readonly<Partial<Record<Channel, number | string | null>>>
  doubted: readonly Channel[]
}

/** `missedAt`: the arrival of the frame before which they were missing. */
export type Gap = { seq: number; size: number; left: number; fromMs: number; toMs: number; missedAt: number }

/** State from earlier frames that the next one is judged by; plain data, stored with the board. */
export type BoardMemory = {
  seq?: number
  /** Newest time of the board's clock, in epoch milliseconds; never of a frame whose clock was wrong. */
  timeMs?: number
  soc?: { pct: number; timeMs: number }
  meters?: Partial<Record<string, Meter>>
  /** Since when a sensor has shown the same value, and how far what moves it went meanwhile. */
  still?: Partial<Record<string, { value: number; sinceMs: number; count: number; low?: number; high?: number }>>
  /** Restarts of the board, as of its newest frame. */
  rebootCount?: number
  /** Numbers that were skipped, newest last: so many of them are missing still, from between two times. */
  gaps?: readonly Gap[]
}

export type FrameContext = {
  receivedAt: Date
  /** Uid of the board that the key belongs to, 12 hex digits in upper case. */
  uid: string
  /** The product of the board, which chooses the layout of its payloads; the usual one when it is not given. */
  product?: string | null | undefined
  /** Nameplate of the ESS; undefined for a board without an ESS. */
  site: SiteFacts | undefined
  memory: BoardMemory
  /** The board's clock is known to be right: its time is believed from this moment on, and else for the last days. */
  believedSince?: Date | undefined
  /** Samples are kept since then: a clock that ran on from when it was right is believed up to there. */
  keptSince?: Date | undefined
}

export type DecodedFrame = {
  type: FrameType | 'UNKNOWN'
  status: FrameStatus
  reasons: readonly Reason[]
  protocolVersion: number | null
  seq: number | null
  /** 12 hex digits in upper case. */
  uid: string | null
  deviceTime: Date | null
  /** Number of missing frames before this one; null where unknown. */
  gapBefore: number | null
  /** Of a late frame that was counted as missing: the arrival at which it was. */
  missedAt?: Date
  /** All payload values by field name; empty unless the frame is VALID or PARTIAL. */
  values: Readonly<Record<string, Value>>
  /** Every field with its bytes; worked out when asked for. */
  readonly fields: readonly FrameField[]
  sample?: Sample
  /** State for judging the next frame. */
  memory: BoardMemory
}

/** Reads what boards send. Another protocol is another implementation; nothing else of the server knows bytes. */
export type FrameDecoder = {
  /** Changes whenever the same bytes could be read differently. */
  version: string
  /** Cuts what was sent at once into frames; undefined when there are more than `most`. */
  split: (body: Buffer, most: number) => Buffer[] | undefined
  /** Seq, uid and time of the header, valid or not; undefined without a header. */
  identify: (bytes: Buffer) => { seq: number; uid: string; deviceTime: Date } | undefined
  /** Never throws, whatever the bytes are. */
  decode: (bytes: Buffer, context: FrameContext) => DecodedFrame
  /** Fields of stored bytes of a board of this product; `reasons` mark the doubted ones. */
  fieldsOf: (
    bytes: Buffer,
    reasons: readonly Pick<Reason, 'field' | 'severity'>[],
    product: string | null | undefined,
  ) => FrameField[]
  /** True when payloads of the product in this version can be read. */
  knows: (product: string | null | undefined, version: number) => boolean
}
