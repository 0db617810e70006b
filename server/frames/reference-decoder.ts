import type { Channel } from '#resources/fleet/channel-of.ts'
import { usualProduct } from '#resources/shared/products.ts'
import { channels } from './channels.ts'
import { setDerived } from './derived-channels.ts'
import {
  type BoardMemory,
  type DecodedFrame,
  effects,
  type FrameContext,
  type FrameDecoder,
  type FrameStatus,
  type Reason,
  type Sample,
} from './frame-decoder.ts'
import type { FrameType } from './frame-layout.ts'
import { orderOf } from './frame-order.ts'
import { clockFault, rebootsOf } from './judge-clock.ts'
import { judgeSample, rememberSample } from './judge-sample.ts'
import { placeOf } from './judging.ts'
import { knownLayouts, type Layout, type Layouts } from './layouts.ts'
import { makeReason } from './make-reason.ts'
import {
  type FrameHead,
  type LayoutFinder,
  type Payload,
  readFields,
  readHead,
  readPayload,
  structureFault,
  unknownType,
  unknownVersion,
} from './read-frame.ts'
import { splitFrames } from './split-frames.ts'

const byWeight = ['INVALID', 'UNKNOWN_VERSION', 'PARTIAL'] as const

/** The worst effect of any reason. */
function statusOf(reasons: readonly Reason[]): FrameStatus {
  const found = new Set<string>(reasons.map(({ code }) => effects[code]))
  return byWeight.find((status) => found.has(status)) ?? 'VALID'
}

const isPlain = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string'

const channelNames: readonly Channel[] = channels.map(({ name }) => name)
const noNames: readonly Channel[] = []
const noValues: Readonly<Record<string, number | string | null>> = Object.fromEntries(channelNames.map((name) => [name, null]))

function sampleOf(payload: Payload, doubted: ReadonlySet<string>, at: Date, isEstimated: boolean): Sample {
  const values = { ...noValues }
  for (const name of channelNames) {
    const value = payload.values[name]
    if (isPlain(value) && !doubted.has(name)) values[name] = value
  }
  setDerived(values)
  const names = doubted.size === 0 ? noNames : channelNames.filter((name) => doubted.has(name))
  return { at, quality: isEstimated ? 'ESTIMATED' : names.length > 0 ? 'PARTIAL' : 'GOOD', values, doubted: names }
}

/** Fields are decoded on demand: ingest stores the bytes only. */
class Decoded implements DecodedFrame {
  readonly type: DecodedFrame['type']
  readonly status: FrameStatus
  readonly reasons: readonly Reason[]
  readonly protocolVersion: number | null
  readonly seq: number | null
  readonly uid: string | null
  readonly deviceTime: Date | null
  readonly gapBefore: number | null
  readonly missedAt?: Date
  readonly values: DecodedFrame['values']
  readonly sample?: Sample
  readonly memory: BoardMemory
  readonly #bytes: Buffer
  readonly #find: LayoutFinder

  constructor(bytes: Buffer, head: FrameHead | undefined, find: LayoutFinder, found: Found) {
    this.#bytes = bytes
    this.#find = find
    this.type = head?.type ?? 'UNKNOWN'
    this.protocolVersion = head?.protocolVersion ?? null
    this.seq = head?.seq ?? null
    this.uid = head?.uid ?? null
    this.deviceTime = head?.deviceTime ?? null
    this.reasons = found.reasons
    this.status = statusOf(found.reasons)
    this.gapBefore = found.gapBefore ?? null
    this.values = found.values ?? {}
    this.memory = found.memory
    if (found.missedAt) this.missedAt = found.missedAt
    if (found.sample) this.sample = found.sample
  }

  get fields() {
    return readFields(this.#bytes, this.reasons, this.#find)
  }
}

type Found = {
  reasons: Reason[]
  memory: BoardMemory
  gapBefore?: number | null
  missedAt?: Date | undefined
  values?: DecodedFrame['values']
  sample?: Sample
}

/** Product that the frame names, compared with the registered one; older firmware names none. */
function otherProduct(payload: Payload, { product }: FrameContext): Reason[] {
  const [expected, actual] = [product ?? usualProduct, payload.values.product]
  if (typeof actual !== 'string' || actual === expected) return []
  return [makeReason('OTHER_PRODUCT', { ...placeOf(payload, 'product'), expected, actual })]
}

type SoundHead = FrameHead & { type: FrameType }

/** Clock and order of a frame whose payload cannot be decoded: the header is the same in every version. */
function readUnknown(head: FrameHead, versions: readonly number[], context: FrameContext): Found {
  const clock = clockFault(head, { values: {}, spanOf: () => undefined, faults: [] }, context)
  const timeMs = clock ? undefined : head.deviceTime.getTime()
  const order = orderOf({ ...head, rebootCount: undefined, timeMs }, context)
  const { memory } = context
  return {
    reasons: [unknownVersion(head, versions), ...(clock ? [clock] : []), ...order.reasons],
    memory: withTime({ ...memory, ...order.memory }, order.isLate ? undefined : timeMs),
    gapBefore: order.gapBefore,
    missedAt: order.missedAt,
  }
}

const withTime = (memory: BoardMemory, timeMs: number | undefined): BoardMemory =>
  timeMs === undefined ? memory : { ...memory, timeMs: Math.max(timeMs, memory.timeMs ?? 0) }

function readSound(bytes: Buffer, head: SoundHead, layout: Layout, context: FrameContext): Found {
  const { memory, receivedAt } = context
  const payload = readPayload(bytes, head.type, layout)
  if (statusOf(payload.faults) === 'INVALID') return { reasons: payload.faults, memory }
  const clock = clockFault(head, payload, context)
  const timeMs = clock ? undefined : head.deviceTime.getTime()
  const order = orderOf({ ...head, rebootCount: rebootsOf(payload), timeMs }, context)
  const judging = { payload, context, timeMs }
  const isSample = head.type === 'TELEMETRY'
  const doubts = isSample ? judgeSample(judging) : []
  const unreadable = payload.faults.flatMap(({ severity, field }) => (severity === 'WARNING' && field ? [field] : []))
  const doubted = new Set([...doubts.flatMap((doubt) => doubt.doubted), ...unreadable])
  const reasons = [
    ...(clock ? [clock] : []),
    ...payload.faults,
    ...doubts.map(({ reason }) => reason),
    ...order.reasons,
    ...otherProduct(payload, context),
    ...(context.site ? [] : [makeReason('NOT_ATTACHED', { expected: 'an ESS', actual: 'none' })]),
  ]
  // A wrong clock gives no order: such a frame may predate any other.
  const isInTime = !order.isLate && timeMs !== undefined
  const known = withTime({ ...memory, ...order.memory }, isInTime ? timeMs : undefined)
  return {
    reasons,
    memory: isInTime && isSample ? { ...known, ...rememberSample(judging, doubted) } : known,
    gapBefore: order.gapBefore,
    missedAt: order.missedAt,
    values: payload.values,
    ...(isSample ? { sample: sampleOf(payload, doubted, clock ? receivedAt : head.deviceTime, !!clock) } : {}),
  }
}

function readFrame(bytes: Buffer, head: FrameHead | undefined, layouts: Layouts, context: FrameContext): Found {
  const { memory, uid, product } = context
  const fault = structureFault(bytes, uid)
  if (fault || !head) return { reasons: fault ? [fault] : [], memory }
  const layout = layouts.of(product, head.protocolVersion)
  if (!layout) return readUnknown(head, layouts.versionsOf(product), context)
  const { type } = head
  if (!type) return { reasons: [unknownType(bytes)], memory }
  return readSound(bytes, { ...head, type }, layout, context)
}

/** Decoder of this project's own protocol (see frame-layout.ts), with these payload layouts. */
export function decoderOf(layouts: Layouts): FrameDecoder {
  const finderOf =
    (product: string | null | undefined): LayoutFinder =>
    (version) =>
      layouts.of(product, version)
  return {
    version: `reference-3.${layouts.tag}`,
    split: splitFrames,
    identify: (bytes) => readHead(bytes),
    decode: (bytes, context) => {
      const head = readHead(bytes)
      return new Decoded(bytes, head, finderOf(context.product), readFrame(bytes, head, layouts, context))
    },
    fieldsOf: (bytes, reasons, product) => readFields(bytes, reasons, finderOf(product)),
    knows: (product, version) => layouts.of(product, version) !== undefined,
  }
}

/** Decoder of the layouts in resources/fleet. */
export const referenceDecoder = decoderOf(knownLayouts)
