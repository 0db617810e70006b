import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { holdFramesOf } from '#server/fleet/shared/board-memory.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { type FrameDecoder, isRead } from '#server/frames/frame-decoder.ts'
import { type Board, boardOfId } from './board-context.ts'
import { boardReport, configurationChange, writeReports } from './board-report.ts'
import { storeOutcomes } from './configuration-outcomes.ts'
import { decodeAgain, memoryBefore, type Reread, type StoredPacket, settled, writeAgain } from './decode-again.ts'

/** Packets of one board per transaction: short enough for its new frames to wait. */
const atOnce = 200

type Waiting = { controlPcbId: string; product: string; protocolVersion: number }

/** Arrival of the newest readable packet, and of the newest configuration report. */
type Newest = { any: string | null; report: string | null }

const isAfter = (time: Date, other: string | null) => other === null || time.getTime() > Date.parse(other)

/**
 * Updates the board state by a packet read late: completely when nothing readable came since, else only what no later packet
 * covers.
 */
async function report(db: Queryable, { packet, decoded, now }: Reread, board: Board, newest: Newest): Promise<Board> {
  const { receivedAt } = packet
  const { controlPcbId } = board
  const read = { ...decoded, ...now }
  const { lastValidPacketAt: _, clockOffsetMs: __, ...all } = boardReport([read], board, { receivedAt, sentAtMs: undefined })
  const { lastSampleAt, sample, isEstimated } = all
  const isReport = decoded.type === 'CONFIG_ACK' && isAfter(receivedAt, newest.report)
  const change = isAfter(receivedAt, newest.any)
    ? all
    : {
        ...(sample ? { lastSampleAt, sample, isEstimated } : {}),
        ...(isReport ? configurationChange(decoded.values, receivedAt) : {}),
      }
  await writeReports(db, [{ controlPcbId, change }])
  if (isReport) await storeOutcomes(db, [{ controlPcbId, values: decoded.values, receivedAt }])
  const firmwareVersion = 'firmwareVersion' in change ? String(change.firmwareVersion) : board.firmwareVersion
  return { ...board, firmwareVersion, ...(lastSampleAt instanceof Date ? { lastSampleAt: lastSampleAt.toISOString() } : {}) }
}

const newestOf = async (db: Queryable, controlPcbId: string, since: Date): Promise<Newest> =>
  (await rowOf(
    db,
    sql<Newest>`select max("receivedAt") as "any", max("receivedAt") filter (where "type" = 'CONFIG_ACK') as "report" from "package"
      where "controlPcbId" = ${controlPcbId} and "receivedAt" >= ${since} and "status" in ('VALID', 'PARTIAL')`,
  )) ?? { any: null, report: null }

const packetsOf = async (db: Queryable, { controlPcbId, protocolVersion }: Waiting): Promise<StoredPacket[]> => {
  const rows = await rowsOf(
    db,
    sql<
      Omit<StoredPacket, 'receivedAt'> & { receivedAt: string }
    >`select "id", "controlPcbId", "receivedAt", "status", "reasons", "raw" from "package"
      where "controlPcbId" = ${controlPcbId} and "protocolVersion" = ${protocolVersion} and "status" = 'UNKNOWN_VERSION'
      order by "receivedAt", "id" limit ${atOnce}`,
  )
  return rows.map((row) => ({ ...row, receivedAt: new Date(row.receivedAt) }))
}

/** Decodes the next packets of a board in order of arrival; returns their number. */
async function readSome(db: Queryable, decoder: FrameDecoder, waiting: Waiting, at: Date): Promise<number> {
  const { controlPcbId } = waiting
  await holdFramesOf(db, [controlPcbId])
  const packets = await packetsOf(db, waiting)
  const first = packets[0]
  let board = await boardOfId(db, controlPcbId)
  if (!first || !board) return 0
  const newest = await newestOf(db, controlPcbId, first.receivedAt)
  let memory = await memoryBefore(db, controlPcbId, decoder.identify(Buffer.from(first.raw, 'hex'))?.deviceTime)
  const reread = packets.map((packet): Reread => {
    const decoded = decodeAgain(packet, { decoder, board, memory })
    memory = decoded.memory
    return { packet, decoded, now: settled(decoded, packet) }
  })
  await writeAgain(db, reread, { decoderVersion: decoder.version, board, at, by: null })
  const { essId } = board
  const kept = reread.filter(({ packet }) => packet.receivedAt.getTime() >= at.getTime() - keptMs.samples)
  const samples = kept.flatMap(({ packet: { id, receivedAt }, now: { sample } }, index) => {
    if (!sample) return []
    const time = sample.quality === 'ESTIMATED' ? new Date(sample.at.getTime() + index) : sample.at
    return [{ controlPcbId, essId, packageId: id, receivedAt, sample: { ...sample, at: time } }]
  })
  await telemetryStore.append(db, samples)
  for (const one of reread) if (isRead(one.now)) board = await report(db, one, board, newest)
  return packets.length
}

/**
 * Decodes packets that arrived before their layout was known: samples, counts and board states become what they would have
 * been. Warnings concern the present and are not raised for the past.
 */
export async function readUnread(database: Database, decoder: FrameDecoder, now: Date, signal?: AbortSignal): Promise<void> {
  const waiting = await rowsOf(
    database.kysely,
    sql<Waiting>`select distinct "p"."controlPcbId", "b"."product", "p"."protocolVersion" from "package" "p"
      join "control_pcb" "b" on "b"."id" = "p"."controlPcbId" where "p"."status" = 'UNKNOWN_VERSION'`,
  )
  const readable = waiting.filter(({ product, protocolVersion }) => decoder.knows(product, protocolVersion))
  if (readable.length === 0) return
  await telemetryStore.prepare(database, new Date(now.getTime() - keptMs.samples), new Date(now.getTime() + dayMs))
  for (const one of readable)
    for (let read = atOnce; read === atOnce && !signal?.aborted; )
      read = await inTransaction(database, (db) => readSome(db, decoder, one, now))
}
