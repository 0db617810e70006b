import type { Queryable } from '#server/db/query.ts'
import type { ActionHandler, Row } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
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
  const facts = { controlPcbId: board.controlPcbId, packageId: id, receivedAt }
  const gone = await telemetryStore.reopen(db, facts)
  if (!sample) return
  const at = (sample.quality === 'ESTIMATED' ? gone[0] : undefined) ?? sample.at
  await telemetryStore.append(db, [{ ...facts, essId: board.essId, sample: { ...sample, at } }])
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
