import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { inPipeline } from '#server/db/pipeline.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { type Board, boardsOfIds, lockMemories } from './board-context.ts'
import { boardReport, writeReports } from './board-report.ts'
import type { ChangeThrottle } from './change-throttle.ts'
import { answersIn, storeOutcomes } from './configuration-outcomes.ts'
import { countingSql } from './package-hours.ts'
import { arrivalsOf, type Body, type Ingested, type ReadBody, readBody, type Sender, samplesOf } from './read-body.ts'
import { findStored, insertPackages, type StoredFrame } from './store-packages.ts'
import { moveOn } from './stream/positions.ts'
import { Turns } from './turns.ts'

/** Newly stored frames of one board in order of arrival, without duplicates. */
export type IngestedBatch = {
  board: Board
  receivedAt: Date
  frames: readonly StoredFrame[]
  /** Send time by the board's clock in epoch milliseconds, if given. */
  sentAtMs: number | undefined
  /** False for a piece of a body that others follow: its frames tell nothing of the clock. */
  isLast: boolean
}

/**
 * Reacts to the frames of all boards of a transaction, within it: its statements are few for any number of boards. A failure refuses the
 * bodies that cause it, since a failed group is stored again body by body.
 */
export type FrameObserver = (db: Queryable, group: readonly IngestedBatch[]) => Promise<void>

export type IngestTools = {
  context: ServerContext
  decoder: FrameDecoder
  throttle: ChangeThrottle
  observers: readonly FrameObserver[]
}

type Came = { controlPcbId: string; stored: readonly StoredFrame[]; receivedAt: Date }

/** Records a frame of another board sent with this board's key: the device at the board has a wrong uid or key. */
async function recordOtherUid(db: Queryable, { controlPcbId, stored, receivedAt }: Came): Promise<void> {
  const other = stored.findLast(({ decoded }) => decoded.reasons.some(({ code }) => code === 'UNKNOWN_BOARD'))
  if (!other) return
  await rowsOf(
    db,
    sql`insert into "boardContact" ("controlPcbId", "otherUid", "otherUidAt") values (${controlPcbId}, ${other.decoded.uid}, ${receivedAt})
      on conflict ("controlPcbId") do update set "otherUid" = excluded."otherUid", "otherUidAt" = excluded."otherUidAt"`,
  )
}

/** Writes the new state of the boards. */
async function writeOutcomes(db: Queryable, read: readonly ReadBody[], hour: Date): Promise<void> {
  const reported = read.map(({ body: { ip, sentAtMs, receivedAt, piece }, board, stored }) => {
    const frames = stored.map(({ decoded }) => decoded)
    const change = {
      lastPacketAt: receivedAt,
      ip,
      ...boardReport(frames, board, { receivedAt, sentAtMs, isLast: piece?.isLast ?? true }),
    }
    return { controlPcbId: board.controlPcbId, change }
  })
  const memories = JSON.stringify(Object.fromEntries(read.map(({ board, memory }) => [board.controlPcbId, memory])))
  const counted = read.map(({ board: { controlPcbId }, counts, stored }) => {
    return { controlPcbId, counts, found: stored.flatMap(({ decoded }) => decoded.missedAt ?? []) }
  })
  await Promise.all([
    writeReports(db, reported),
    rowsOf(
      db,
      sql`${prepared} with ${countingSql(counted, hour)}
        update "boardMemory" "m" set "memory" = "u"."value" from jsonb_each(${memories}::jsonb) as "u" where "m"."controlPcbId" = "u"."key"`,
    ),
  ])
}

const batchOf = ({ board, stored, body: { receivedAt, sentAtMs, piece } }: ReadBody): IngestedBatch => ({
  board,
  receivedAt,
  frames: stored,
  sentAtMs,
  isLast: piece?.isLast ?? true,
})

/** Writes that need no answers of the database: they share a round trip. */
async function writeAll(db: Queryable, read: readonly ReadBody[], hour: Date) {
  const packets = read.map((one) => one.kept)
  const samples = read.flatMap(samplesOf)
  const came = read.map(({ board: { controlPcbId }, body: { receivedAt }, stored }) => ({ controlPcbId, stored, receivedAt }))
  await Promise.all([
    insertPackages(db, packets),
    telemetryStore.append(db, samples),
    writeOutcomes(db, read, hour),
    ...came.map((one) => recordOtherUid(db, one)),
    storeOutcomes(
      db,
      came.flatMap(({ stored, ...one }) => answersIn({ ...one, frames: stored.map(({ decoded }) => decoded) })),
    ),
  ])
}

type Asked = Pick<Sender, 'body' | 'arrivals'>

/** Bodies with a valid key, one per board: a board with two keys may have sent two. And their frames that are stored already. */
async function sendersOf(db: Queryable, asked: readonly Asked[], { config, now }: Asking) {
  const senders = asked.map(({ body }) => body)
  const remembered = await lockMemories(db, { senders, demo: config.demo, now })
  const [boards, stored] = await Promise.all([
    boardsOfIds(
      db,
      [...remembered.values()].map(({ controlPcbId }) => controlPcbId),
    ),
    findStored(
      db,
      asked.filter(({ body }) => remembered.has(body.keyHash)).flatMap(({ arrivals }) => arrivals),
    ),
  ])
  const found = new Map<string, Sender>()
  for (const one of asked) {
    const known = remembered.get(one.body.keyHash)
    const board = known && boards.get(known.controlPcbId)
    if (board && !found.has(board.controlPcbId)) found.set(board.controlPcbId, { ...one, board, memory: known.memory })
  }
  return { known: [...found.values()], stored }
}
type Asking = Pick<ServerContext, 'config'> & { now: Date }

const ingestedOf = ({ board, counts, refused }: ReadBody, group: readonly string[]): Ingested => ({
  controlPcbId: board.controlPcbId,
  group,
  accepted: counts.valid + counts.partial + counts.unread,
  invalid: counts.invalid,
  duplicate: counts.duplicate,
  refused,
})

/** A body that its stream delivers again was counted when it was stored. */
const storedBefore = ({ controlPcbId }: Board): Ingested => ({
  controlPcbId,
  group: [],
  accepted: 0,
  invalid: 0,
  duplicate: 0,
  refused: [],
})

/**
 * Stores bodies of several boards in one transaction: packets, samples, board states and change announcements. They are durable
 * once this resolves. A body without a result has an unknown key, or follows another one of its board. All are of one hour, since packets are counted by it.
 */
export async function ingestBodies(tools: IngestTools, bodies: readonly Body[]): Promise<ReadonlyMap<Body, Ingested>> {
  const { context, decoder, throttle, observers } = tools
  const { database, clock, config } = context
  const now = clock()
  const keptSince = new Date(now.getTime() - keptMs.samples)
  await telemetryStore.prepare(database, keptSince, new Date(now.getTime() + dayMs))
  const asked = bodies.map((body) => ({ body, arrivals: arrivalsOf(body, decoder) }))
  return inPipeline(database, async (db) => {
    const { known, stored } = await sendersOf(db, asked, { config, now })
    const fresh = await moveOn(
      db,
      known.map(({ body }) => body),
    )
    const senders = known.filter(({ body }) => fresh.has(body))
    const again = known.filter(({ body }) => !fresh.has(body)).map(({ body, board }) => [body, storedBefore(board)] as const)
    const [first] = senders
    if (!first) return new Map(again)
    const reading = { decoder, keptSince, known: stored, turns: new Turns() }
    const read: ReadBody[] = []
    for (const sender of senders) read.push(await readBody(sender, reading))
    const batches = read.map(batchOf)
    const news = read.map(({ board, stored }) => ({ board, packageId: stored.at(-1)?.id }))
    await Promise.all([
      writeAll(db, read, first.body.receivedAt),
      throttle.tell(db, news, now),
      ...observers.map((observe) => observe(db, batches)),
    ])
    const group = read.map(({ board }) => board.controlPcbId)
    return new Map([...again, ...read.map((one) => [one.body, ingestedOf(one, group)] as const)])
  })
}
