import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { ActionHandler, Row } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { insertSamples, openHours } from '#server/fleet/telemetry/insert-samples.ts'
import { knownZone } from '#server/fleet/telemetry/zones.ts'
import type { DecodedFrame, FrameDecoder } from '#server/frames/frame-decoder.ts'
import { type Board, boardOfId } from './board-context.ts'
import { decodeAgain, memoryBefore, type StoredPacket, settled, writeAgain } from './decode-again.ts'

const packetOf = (id: string, record: Row): StoredPacket => ({
  id,
  controlPcbId: typeof record.controlPcbId === 'string' ? record.controlPcbId : null,
  receivedAt: new Date(String(record.receivedAt)),
  status: String(record.status),
  reasons: Array.isArray(record.reasons) ? record.reasons : [],
  raw: String(record.raw ?? ''),
})

async function replaceSample(
  db: Queryable,
  { id, receivedAt }: StoredPacket,
  board: Board,
  sample: DecodedFrame['sample'],
): Promise<void> {
  const gone = await rowsOf(
    db,
    sql<{ ts: string }>`delete from "telemetry" where "controlPcbId" = ${board.controlPcbId} and "packageId" = ${id}
      and "ts" between ${receivedAt}::timestamptz - interval '61 days' and ${receivedAt}::timestamptz + interval '1 day' returning "ts"`,
  )
  const at = sample?.quality === 'ESTIMATED' ? gone[0]?.ts : undefined
  const stored = sample && { ...sample, at: at ? new Date(at) : sample.at }
  const zone = await knownZone(db, board.zone)
  const facts = { controlPcbId: board.controlPcbId, essId: board.essId, packageId: id, receivedAt, zone }
  await openHours(
    db,
    gone.map(({ ts }) => ({ controlPcbId: board.controlPcbId, zone, at: new Date(ts) })),
  )
  if (stored) await insertSamples(db, [{ ...facts, sample: stored }])
}

const keepsSamples = ({ receivedAt }: StoredPacket, now: Date) => receivedAt.getTime() >= now.getTime() - keptMs.samples

/** Decodes a packet again with the current decoder, and updates its sample. */
export const reprocess =
  (decoder: FrameDecoder): ActionHandler =>
  async ({ id, record = {}, work: { db, now, caller } }) => {
    if (record.truncated === true) throw fleetProblem('package.incomplete')
    const packet = packetOf(id, record)
    const board = packet.controlPcbId ? await boardOfId(db, packet.controlPcbId) : undefined
    const time = decoder.identify(Buffer.from(packet.raw, 'hex'))?.deviceTime
    const memory = board ? await memoryBefore(db, board.controlPcbId, time) : {}
    const decoded = decodeAgain(packet, { decoder, board, memory })
    const read = settled(decoded, packet)
    const writing = { decoderVersion: decoder.version, board, at: now, by: caller.userId }
    await writeAgain(db, [{ packet, decoded, now: read }], writing)
    if (board && keepsSamples(packet, now)) await replaceSample(db, packet, board, read.sample)
  }
