import { uuidv7 } from 'uuidv7'
import type { StoredSample } from '#server/fleet/telemetry/insert-samples.ts'
import type { BoardMemory, DecodedFrame, FrameDecoder } from '#server/frames/frame-decoder.ts'
import { makeReason } from '#server/frames/make-reason.ts'
import type { Board } from './board-context.ts'
import { type ClockFacts, clockFactsOf } from './clock-offset.ts'
import type { Counts } from './package-hours.ts'
import { type Arrival, arrivalOf, isOfBoard, type KeptFrames, repeatedIn, type StoredFrame } from './store-packages.ts'
import type { Position } from './stream/positions.ts'
import { framesPerTurn, type Turns } from './turns.ts'

/** Part of a large body, which is stored in several transactions. */
export type Piece = {
  /** Frames of the body before it. */
  from: number
  /** The newest frames tell about the clock: earlier ones may have been buffered for hours. */
  isLast: boolean
  /** Judged by the whole body. */
  isClockSound: boolean
}

/** Frames of one request, with the key of its board. */
export type Body = {
  keyHash: string
  /** Board of the key when a stream took the body: the key may have ended before it is stored. */
  controlPcbId?: string | undefined
  frames: readonly Buffer[]
  ip: string
  /** Send time by the board's clock in epoch milliseconds, if given. */
  sentAtMs: number | undefined
  /** When the server took it, which may be long before it is stored. */
  receivedAt: Date
  /** Of a body that waits in a stream. */
  position?: Position | undefined
  piece?: Piece | undefined
}

/** Result of a body: counts, and rejected frames with their first reason. */
export type Ingested = {
  controlPcbId: string
  /** All boards of the transaction, including this one, so that look-ups can be set-based. */
  group: readonly string[]
  accepted: number
  invalid: number
  duplicate: number
  refused: { index: number; reason: string }[]
}

export const mostRefused = 50

/** Context of all frames of a body, apart from the frames before each. */
type Circumstances = ClockFacts & { board: Board }
/** `missed`: frames that never came. */
type Read = { stored: StoredFrame[]; memory: BoardMemory; missed: number }

function withDamaged({ damaged: _before, ...memory }: BoardMemory, damaged: number): BoardMemory {
  return damaged > 0 ? { ...memory, damaged } : memory
}

function readFrames(
  decoder: FrameDecoder,
  arrivals: readonly Arrival[],
  memory: BoardMemory,
  { board, ...judged }: Circumstances,
): Read {
  const read: Read = { stored: [], memory, missed: 0 }
  const { uid, product, site } = board
  for (const arrival of arrivals) {
    const { damaged = 0 } = read.memory
    const decoded = decoder.decode(arrival.bytes, { ...judged, uid, product, site, memory: read.memory })
    // A damaged frame has no readable number: it is a part of the next gap, and not missing.
    read.missed += Math.max(0, (decoded.gapBefore ?? 0) - damaged)
    const isDamaged = decoded.status === 'INVALID' && isOfBoard(decoded)
    read.memory = withDamaged(decoded.memory, isDamaged ? damaged + 1 : decoded.gapBefore === null ? damaged : 0)
    read.stored.push({ id: uuidv7(), arrival, decoded })
  }
  return read
}

type Frames = { arrivals: readonly Arrival[]; memory: BoardMemory; circumstances: Circumstances }

async function readInTurns({ decoder, turns }: Reading, { arrivals, memory, circumstances }: Frames): Promise<Read> {
  const read: Read = { stored: [], memory, missed: 0 }
  for (let at = 0; at < arrivals.length; at += framesPerTurn) {
    const some = readFrames(decoder, arrivals.slice(at, at + framesPerTurn), read.memory, circumstances)
    read.stored.push(...some.stored)
    read.memory = some.memory
    read.missed += some.missed
    await turns.pass(some.stored.length)
  }
  return read
}

/** Duplicates are stored only during a capture and have no effects. */
const repeatedFrames = (
  decoder: FrameDecoder,
  arrivals: readonly Arrival[],
  memory: BoardMemory,
  circumstances: Circumstances,
): StoredFrame[] =>
  arrivals.flatMap((arrival) =>
    readFrames(decoder, [arrival], memory, circumstances).stored.map(({ decoded, ...frame }) => ({
      ...frame,
      decoded: {
        ...decoded,
        gapBefore: null,
        reasons: [makeReason('DUPLICATE_SEQ', { expected: '1×', actual: '2×' })],
      },
      isDuplicate: true,
    })),
  )

/** Samples with a wrong clock get the arrival time, a millisecond apart, so that they stay unique. */
export function samplesOf({ stored, board, body: { receivedAt, piece } }: ReadBody): StoredSample[] {
  return stored.flatMap(({ id, decoded: { sample } }, index) => {
    if (!sample) return []
    const at = sample.quality === 'ESTIMATED' ? new Date(sample.at.getTime() + (piece?.from ?? 0) + index) : sample.at
    return [{ controlPcbId: board.controlPcbId, essId: board.essId, packageId: id, receivedAt, sample: { ...sample, at } }]
  })
}

const withStatus = (stored: readonly StoredFrame[], status: DecodedFrame['status']) =>
  stored.filter(({ decoded }) => decoded.status === status).length

const countsOf = (stored: readonly StoredFrame[], { duplicate, missed }: Pick<Counts, 'duplicate' | 'missed'>): Counts => ({
  valid: withStatus(stored, 'VALID'),
  partial: withStatus(stored, 'PARTIAL'),
  invalid: withStatus(stored, 'INVALID'),
  unread: withStatus(stored, 'UNKNOWN_VERSION'),
  duplicate,
  missed,
})

function refusedOf(arrivals: readonly Arrival[], stored: readonly StoredFrame[]): Ingested['refused'] {
  const places = new Map(arrivals.map((arrival, index) => [arrival, index]))
  const invalid = stored.filter(({ decoded }) => decoded.status === 'INVALID').slice(0, mostRefused)
  return invalid.map(({ arrival, decoded }) => ({ index: places.get(arrival) ?? 0, reason: decoded.reasons[0]?.code ?? '' }))
}

/** A body with its board; `memory`: state after the frames before it. */
export type Sender = { body: Body; arrivals: readonly Arrival[]; board: Board; memory: BoardMemory }

/** A decoded body. */
export type ReadBody = Omit<Sender, 'arrivals'> & {
  stored: readonly StoredFrame[]
  kept: KeptFrames
  counts: Counts
  refused: Ingested['refused']
}

type Reading = { decoder: FrameDecoder; keptSince: Date; known: ReadonlySet<Arrival>; turns: Turns }

/** Decodes the unknown frames of a body in sequence. */
export async function readBody({ body, arrivals, board, memory: before }: Sender, reading: Reading): Promise<ReadBody> {
  const { decoder, keptSince, known } = reading
  const { receivedAt } = body
  const circumstances = { board, ...clockFactsOf({ ...body, arrivals, keptSince }) }
  // Another board's frame is refused, also when that board has sent it: its answer says nothing of the other board.
  const isForged = (arrival: Arrival) =>
    arrival.identity?.uid !== board.uid &&
    readFrames(decoder, [arrival], before, circumstances).stored.some(({ decoded }) => !isOfBoard(decoded))
  const seen = arrivals.filter((arrival) => known.has(arrival) && !isForged(arrival))
  const duplicates = new Set([...seen, ...repeatedIn(arrivals)])
  const fresh = arrivals.filter((arrival) => !duplicates.has(arrival))
  const { stored, memory, missed } = await readInTurns(reading, { arrivals: fresh, memory: before, circumstances })
  const isCaptured = board.captureUntil !== null && new Date(board.captureUntil) > receivedAt
  const repeated = isCaptured ? repeatedFrames(decoder, [...duplicates], before, circumstances) : []
  const { controlPcbId, essId, product } = board
  const reception = { receivedAt, controlPcbId, essId, product, decoderVersion: decoder.version, isCaptured }
  const kept = { frames: [...stored, ...repeated], reception }
  const counts = countsOf(stored, { duplicate: duplicates.size, missed })
  return { body, board, memory, stored, kept, counts, refused: refusedOf(arrivals, stored) }
}

export const arrivalsOf = ({ frames }: Body, decoder: FrameDecoder): Arrival[] =>
  frames.map((bytes) => arrivalOf(bytes, decoder.identify(bytes)))
