import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { insertSamples, type StoredSample } from '#server/fleet/telemetry/insert-samples.ts'
import { ensureMonths } from '#server/fleet/telemetry/months.ts'
import { zoneOr, zonesOf } from '#server/fleet/telemetry/zones.ts'
import type { BoardMemory, DecodedFrame, FrameContext, FrameDecoder } from '#server/frames/frame-decoder.ts'
import { makeReason } from '#server/frames/make-reason.ts'
import { type Board, boardOfId, lockMemory } from './board-context.ts'
import { boardReport, reportSql } from './board-report.ts'
import type { Announcer } from './change-throttle.ts'
import { keepOutcomes } from './configuration-outcomes.ts'
import { type Counts, countingSql } from './package-hours.ts'
import { type Arrival, arrivalOf, findDuplicates, insertPackages, type StoredFrame } from './store-packages.ts'

/** The outcome of a body: the counts, and which of its frames were not accepted, with the first reason. */
export type Ingested = {
  controlPcbId: string
  accepted: number
  invalid: number
  duplicate: number
  refused: { index: number; reason: string }[]
}

const mostRefused = 50

/** Frames of one board that were stored just now, in the order in which they came; duplicates are not among them. */
export type IngestedBatch = {
  board: Board
  receivedAt: Date
  frames: readonly StoredFrame[]
  /** By the board's clock in epoch milliseconds, when it says so. */
  sentAtMs: number | undefined
}

/** Acts on what boards say, in the transaction that stores it: keep it short. A failure refuses the whole body. */
export type FrameObserver = (db: Queryable, batch: IngestedBatch) => Promise<void>

export type IngestTools = {
  context: ServerContext
  decoder: FrameDecoder
  announcer: Announcer
  observers: readonly FrameObserver[]
}

export type Body = {
  keyHash: string
  frames: readonly Buffer[]
  ip: string
  /** By the board's clock in epoch milliseconds, when it says so. */
  sentAtMs: number | undefined
}

type Read = { stored: StoredFrame[]; memory: BoardMemory }

/** The facts by which all frames of a body are judged, beside those that came before each. */
type Circumstances = Pick<FrameContext, 'receivedAt' | 'believedSince' | 'keptSince'> & { board: Board }

const soundMs = 5 * minuteMs

/** A board whose clock is right, as it says or as its newest frame shows: what it has kept is as old as it says. */
function isSoundClock(sentAtMs: number | undefined, arrivals: readonly Arrival[], receivedAt: Date): boolean {
  const times = sentAtMs === undefined ? arrivals.map(({ identity }) => identity?.deviceTime.getTime()) : [sentAtMs]
  return times.some((timeMs) => timeMs !== undefined && Math.abs(timeMs - receivedAt.getTime()) <= soundMs)
}

function readFrames(
  decoder: FrameDecoder,
  arrivals: readonly Arrival[],
  memory: BoardMemory,
  { board, ...judged }: Circumstances,
): Read {
  const read: Read = { stored: [], memory }
  const { uid, product, site } = board
  for (const arrival of arrivals) {
    const decoded = decoder.decode(arrival.bytes, { ...judged, uid, product, site, memory: read.memory })
    read.memory = decoded.memory
    read.stored.push({ id: uuidv7(), arrival, decoded })
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

/** Samples of a wrong clock take the arrival time: a millisecond apart, so that none replaces another. */
function samplesOf(stored: readonly StoredFrame[], board: Board, receivedAt: Date, zone: string): StoredSample[] {
  return stored.flatMap(({ id, decoded: { sample } }, index) => {
    if (!sample) return []
    const at = sample.quality === 'ESTIMATED' ? new Date(sample.at.getTime() + index) : sample.at
    return [
      { controlPcbId: board.controlPcbId, essId: board.essId, packageId: id, receivedAt, zone, sample: { ...sample, at } },
    ]
  })
}

const withStatus = (stored: readonly StoredFrame[], status: DecodedFrame['status']) =>
  stored.filter(({ decoded }) => decoded.status === status).length

const countsOf = (stored: readonly StoredFrame[], duplicate: number): Counts => ({
  valid: withStatus(stored, 'VALID'),
  partial: withStatus(stored, 'PARTIAL'),
  invalid: withStatus(stored, 'INVALID'),
  unread: withStatus(stored, 'UNKNOWN_VERSION'),
  duplicate,
  missed: stored.reduce((sum, { decoded }) => sum + (decoded.gapBefore ?? 0), 0),
})

function refusedOf(arrivals: readonly Arrival[], stored: readonly StoredFrame[]): Ingested['refused'] {
  const places = new Map(arrivals.map((arrival, index) => [arrival, index]))
  const invalid = stored.filter(({ decoded }) => decoded.status === 'INVALID').slice(0, mostRefused)
  return invalid.map(({ arrival, decoded }) => ({ index: places.get(arrival) ?? 0, reason: decoded.reasons[0]?.code ?? '' }))
}

type Came = { controlPcbId: string; stored: readonly StoredFrame[]; receivedAt: Date }

/** A frame of another board came with the key of this one: the code at the board is wrong, or its key is. */
async function noteOtherUid(db: Queryable, { controlPcbId, stored, receivedAt }: Came): Promise<void> {
  const other = stored.findLast(({ decoded }) => decoded.reasons.some(({ code }) => code === 'UNKNOWN_BOARD'))
  if (!other) return
  await rowsOf(
    db,
    sql`insert into "boardContact" ("controlPcbId", "otherUid", "otherUidAt") values (${controlPcbId}, ${other.decoded.uid}, ${receivedAt})
      on conflict ("controlPcbId") do update set "otherUid" = excluded."otherUid", "otherUidAt" = excluded."otherUidAt"`,
  )
}

type Outcome = {
  report: Record<string, unknown>
  memory: BoardMemory
  counts: Counts
  found: readonly Date[]
  receivedAt: Date
}

/** Writes the new state of the board in one statement: boards are many, and each round trip costs. */
const writeOutcome = (db: Queryable, controlPcbId: string, { report, memory, counts, found, receivedAt }: Outcome) =>
  rowsOf(
    db,
    sql`with "report" as (${reportSql(controlPcbId, report)}),
      "memory" as (update "boardMemory" set "memory" = ${JSON.stringify(memory)} where "controlPcbId" = ${controlPcbId})
      ${countingSql(controlPcbId, { counts, found, now: receivedAt })}`,
  )

/**
 * Stores the frames of a body in one transaction: packets, samples, what the board reports of itself, and the news of it. Once this
 * answers, all of it is kept. Throws 403 for a key that no board has.
 */
export async function ingestFrames(tools: IngestTools, { keyHash, frames, ip, sentAtMs }: Body): Promise<Ingested> {
  const { context, decoder, announcer, observers } = tools
  const { database, clock, config } = context
  const receivedAt = clock()
  const oldest = new Date(receivedAt.getTime() - keptMs.samples)
  await ensureMonths(database, oldest, new Date(receivedAt.getTime() + dayMs))
  const zones = await zonesOf(database)
  const arrivals = frames.map((bytes) => arrivalOf(bytes, decoder.identify(bytes)))
  const believedSince = isSoundClock(sentAtMs, arrivals, receivedAt) ? oldest : undefined
  return inTransaction(database, async (db) => {
    const known = await lockMemory(db, { hash: keyHash, demo: config.demo, now: receivedAt })
    const board = known && (await boardOfId(db, known.controlPcbId))
    if (!board) throw problem('device-key.unknown')
    const { controlPcbId, essId, product } = board
    const before = known.memory
    const duplicates = await findDuplicates(db, arrivals)
    const fresh = arrivals.filter((arrival) => !duplicates.has(arrival))
    const circumstances = { board, receivedAt, believedSince, keptSince: oldest }
    const { stored, memory } = readFrames(decoder, fresh, before, circumstances)
    const isCaptured = board.captureUntil !== null && new Date(board.captureUntil) > receivedAt
    const repeated = isCaptured ? repeatedFrames(decoder, [...duplicates], before, circumstances) : []
    const reception = { receivedAt, controlPcbId, essId, product, decoderVersion: decoder.version, isCaptured }
    await insertPackages(db, [...stored, ...repeated], reception)
    await insertSamples(db, samplesOf(stored, board, receivedAt, zoneOr(zones, board.zone)))
    const decoded = stored.map((frame) => frame.decoded)
    const counts = countsOf(stored, duplicates.size)
    const report = { lastPacketAt: receivedAt, ip, ...boardReport(decoded, board, { receivedAt, sentAtMs }) }
    const found = decoded.flatMap(({ missedAt }) => missedAt ?? [])
    await writeOutcome(db, controlPcbId, { report, memory, counts, found, receivedAt })
    await noteOtherUid(db, { controlPcbId, stored, receivedAt })
    await keepOutcomes(db, { controlPcbId, frames: decoded, receivedAt })
    for (const observe of observers) await observe(db, { board, receivedAt, frames: stored, sentAtMs })
    await announcer.tell(db, { board, packageId: stored.at(-1)?.id }, receivedAt)
    return {
      controlPcbId,
      accepted: counts.valid + counts.partial + counts.unread,
      invalid: counts.invalid,
      duplicate: counts.duplicate,
      refused: refusedOf(arrivals, stored),
    }
  })
}
