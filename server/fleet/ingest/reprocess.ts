import { sql } from 'kysely'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { ActionHandler, Row } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { insertSamples, openHours } from '#server/fleet/telemetry/insert-samples.ts'
import { knownZone } from '#server/fleet/telemetry/zones.ts'
import { channels } from '#server/frames/channels.ts'
import type { BoardMemory, DecodedFrame, FrameContext, Reason } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { type Board, boardOfId } from './board-context.ts'
import { reasonCodes } from './store-packages.ts'

/** Reasons about the transport, not the content; decoding again keeps them. */
const ofArrival = new Set<string>(['OUT_OF_ORDER', 'SEQ_GAP', 'NOT_ATTACHED', 'SENSOR_STUCK', 'UPDATE_STATE'])

const reasonsOf = (value: unknown): readonly Reason[] => (Array.isArray(value) ? value : [])
const lifetime = channels.filter((channel) => channel.lifetime)

/** Charge and counters of the sample before the packet. */
async function memoryBefore(db: Queryable, controlPcbId: string, time: Date | undefined): Promise<BoardMemory> {
  if (!time) return {}
  const columns = sql.raw(lifetime.map(({ name }) => `, "${name}"`).join(''))
  const row = await rowOf(
    db,
    sql<Record<string, number | string | null> & { ts: string }>`select "ts", "socPct"${columns} from "telemetry"
      where "controlPcbId" = ${controlPcbId} and "ts" < ${time} order by "ts" desc limit 1`,
  )
  if (!row) return {}
  const timeMs = Date.parse(row.ts)
  const meters = Object.fromEntries(
    lifetime.flatMap(({ name }) => {
      const value = row[name]
      return typeof value === 'number' ? [[name, { value, timeMs }]] : []
    }),
  )
  return { timeMs, meters, ...(typeof row.socPct === 'number' ? { soc: { pct: row.socPct, timeMs } } : {}) }
}

async function decodeAgain(db: Queryable, bytes: Buffer, board: Board | undefined, record: Row): Promise<DecodedFrame> {
  const head = referenceDecoder.identify(bytes)
  const receivedAt = new Date(String(record.receivedAt))
  // A frame that was believed when it came was sent by a clock that was right.
  const wasDoubted = reasonsOf(record.reasons).some(({ code }) => code === 'CLOCK_PAST')
  const context: FrameContext = {
    receivedAt,
    ...(wasDoubted ? {} : { believedSince: new Date(receivedAt.getTime() - keptMs.samples) }),
    uid: board?.uid ?? '',
    site: board?.site,
    memory: board ? await memoryBefore(db, board.controlPcbId, head?.deviceTime) : {},
  }
  return referenceDecoder.decode(bytes, context)
}

/** Without a board the uid cannot be compared; the earlier result stays. */
function settled(decoded: DecodedFrame, record: Row): Pick<DecodedFrame, 'status' | 'reasons' | 'sample'> {
  const before = reasonsOf(record.reasons)
  if (!record.controlPcbId) return { status: 'INVALID', reasons: before }
  const kept = before.filter(({ code }) => ofArrival.has(code))
  const found = decoded.reasons.filter(({ code }) => !ofArrival.has(code))
  if (decoded.status === 'INVALID') return { status: 'INVALID', reasons: found }
  const stuck = kept.flatMap(({ code, field }) => (code === 'SENSOR_STUCK' && field ? [field] : []))
  const { sample } = decoded
  const values = sample && { ...sample.values, ...Object.fromEntries(stuck.map((name) => [name, null])) }
  const reasons = [...found, ...kept]
  const status = reasons.some(({ severity }) => severity === 'WARNING') ? 'PARTIAL' : 'VALID'
  return { status, reasons, ...(sample && values ? { sample: { ...sample, values } } : {}) }
}

async function replaceSample(db: Queryable, record: Row, board: Board, sample: DecodedFrame['sample']): Promise<void> {
  const gone = await rowsOf(
    db,
    sql<{ ts: string }>`delete from "telemetry" where "controlPcbId" = ${board.controlPcbId} and "packageId" = ${record.id}
      and "ts" between ${record.receivedAt}::timestamptz - interval '61 days' and ${record.receivedAt}::timestamptz + interval '1 day' returning "ts"`,
  )
  const at = sample?.quality === 'ESTIMATED' ? gone[0]?.ts : undefined
  const stored = sample && { ...sample, at: at ? new Date(at) : sample.at }
  const receivedAt = new Date(String(record.receivedAt))
  const zone = await knownZone(db, board.zone)
  const facts = { controlPcbId: board.controlPcbId, essId: board.essId, packageId: String(record.id), receivedAt, zone }
  await openHours(
    db,
    gone.map(({ ts }) => ({ controlPcbId: board.controlPcbId, zone, at: new Date(ts) })),
  )
  if (stored) await insertSamples(db, [{ ...facts, sample: stored }])
}

const keepsSamples = ({ receivedAt }: Row, now: Date) => Date.parse(String(receivedAt)) >= now.getTime() - keptMs.samples

/** Reads a packet's bytes with the present decoder, and brings its sample in line with what is read now. */
export const reprocess: ActionHandler = async ({ id, record, work }) => {
  const row = record ?? {}
  if (row.truncated === true) throw fleetProblem('package.incomplete')
  const bytes = Buffer.from(String(row.raw ?? ''), 'hex')
  const board = row.controlPcbId ? await boardOfId(work.db, row.controlPcbId) : undefined
  const decoded = await decodeAgain(work.db, bytes, board, row)
  const { status, reasons, sample } = settled(decoded, row)
  await rowsOf(
    work.db,
    sql`update "package" set "status" = ${status}, "reasons" = ${JSON.stringify(reasons)}, "reason" = ${reasonCodes({ reasons })},
      "type" = ${decoded.type}, "decoderVersion" = ${referenceDecoder.version}, "reprocessedAt" = ${work.now},
      "version" = "version" + 1, "updatedAt" = ${work.now}, "updatedBy" = ${work.caller.userId} where "id" = ${id}`,
  )
  if (board && keepsSamples(row, work.now)) await replaceSample(work.db, row, board, sample)
}
