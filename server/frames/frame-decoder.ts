import type { Channel } from '#resources/fleet/channel-of.ts'
import type { packageReasons } from '#resources/package.ts'
import type { FrameType } from './frame-layout.ts'
import type { Meter } from './judge-counters.ts'
import type { SiteFacts } from './site-facts.ts'
import type { Value } from './wire-field.ts'

export type ReasonCode = keyof typeof packageReasons
/** UNKNOWN_VERSION: a well-formed frame of the board without a known layout; it is stored and decoded once there is one. */
export type FrameStatus = 'VALID' | 'PARTIAL' | 'INVALID' | 'UNKNOWN_VERSION'

/** True when the payload was decoded, at least in part. */
export const isRead = ({ status }: { status: FrameStatus }): boolean => status === 'VALID' || status === 'PARTIAL'

type Effect = FrameStatus | 'DUPLICATE'

/** Effect of a reason on its frame: INVALID = nothing is used, PARTIAL = doubted values are dropped, VALID = informational. */
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

/**
 * `suspectOffset`: the byte in which one flipped bit would explain a wrong checksum. Offsets count from the frame's first byte.
 */
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

/** `raw`: bytes in hex. `ok`: no reason doubts it. */
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

/** Sample of a telemetry frame. `at` is the board's time, or the arrival time when its clock is wrong (`ESTIMATED`). */
export type Sample = {
  at: Date
  quality: Quality
  /** Null = not measured, or doubted. */
  values: Readonly<Partial<Record<Channel, number | string | null>>>
  doubted: readonly Channel[]
}

/** `missedAt`: arrival of the frame before which they were missing. */
export type Gap = { seq: number; size: number; left: number; fromMs: number; toMs: number; missedAt: number }

/** State from earlier frames for judging the next one; plain data, stored with the board. */
export type BoardMemory = {
  seq?: number
  /** Newest time by the board's clock, in epoch milliseconds; frames with a wrong clock are excluded. */
  timeMs?: number
  soc?: { pct: number; timeMs: number }
  meters?: Partial<Record<string, Meter>>
  /** Since when a sensor has repeated its value, and the movement of its driver meanwhile. */
  still?: Partial<Record<string, { value: number; sinceMs: number; count: number; low?: number; high?: number }>>
  /** Reboot count of the newest frame. */
  rebootCount?: number
  /** Gaps in the sequence numbers, newest last: the number of frames still missing between two times. */
  gaps?: readonly Gap[]
  /** Damaged frames since the last one in order: their numbers are a gap before the next, and they are not missing. */
  damaged?: number
}

export type FrameContext = {
  receivedAt: Date
  /** Uid of the key's board, 12 upper-case hex digits. */
  uid: string
  /** Product of the board, which selects the payload layout; default: the usual one. */
  product?: string | null | undefined
  /** Nameplate of the ESS; undefined for a board without an ESS. */
  site: SiteFacts | undefined
  memory: BoardMemory
  /** The board's clock is known to be correct: times after this moment are accepted; default: the last few days. */
  believedSince?: Date | undefined
  /** The board's clock is known to be wrong, and shows this time: what it has dated up to now has no correct time. */
  wrongAt?: Date | undefined
  /** Retention start of samples: the limit for times of a clock that was correct. */
  keptSince?: Date | undefined
}

/** A frame as it was read and judged. `values` by field name; `sample` in a TELEMETRY that is not INVALID. */
export type DecodedFrame = {
  type: FrameType | 'UNKNOWN'
  status: FrameStatus
  reasons: readonly Reason[]
  protocolVersion: number | null
  seq: number | null
  /** 12 upper-case hex digits. */
  uid: string | null
  deviceTime: Date | null
  /** Missing frames before this one; null when unknown. */
  gapBefore: number | null
  /** For a late frame that was counted as missing: the arrival at which it was counted. */
  missedAt?: Date
  /** Payload values by field name; empty unless the frame is VALID or PARTIAL. */
  values: Readonly<Record<string, Value>>
  /** Every field with its bytes; computed on demand. */
  readonly fields: readonly FrameField[]
  sample?: Sample
  /** State for judging the next frame. */
  memory: BoardMemory
}

/** Protocol decoder. Another protocol is another implementation; nothing else in the server handles bytes. */
export type FrameDecoder = {
  /** Changes whenever the same bytes may be decoded differently. */
  version: string
  /** Splits a body into frames; undefined when there are more than `most`. */
  split: (body: Buffer, most: number) => Buffer[] | undefined
  /** Seq, uid and time of the header, unvalidated; undefined without a header. */
  identify: (bytes: Buffer) => { seq: number; uid: string; deviceTime: Date } | undefined
  /** Never throws, whatever the bytes are. */
  decode: (bytes: Buffer, context: FrameContext) => DecodedFrame
  /** Fields of stored bytes, for a board's product; `reasons` mark the doubted ones. */
  fieldsOf: (
    bytes: Buffer,
    reasons: readonly Pick<Reason, 'field' | 'severity'>[],
    product: string | null | undefined,
  ) => FrameField[]
  /** True when the layout of the product's version is known. */
  knows: (product: string | null | undefined, version: number) => boolean
}
