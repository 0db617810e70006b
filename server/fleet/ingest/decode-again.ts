import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { channels } from '#server/frames/channels.ts'
import type { BoardMemory, DecodedFrame, FrameContext, FrameDecoder, Reason } from '#server/frames/frame-decoder.ts'
import type { Board } from './board-context.ts'
import { reasonCodes } from './store-packages.ts'

/** The part of a stored packet that decoding needs. */
export type StoredPacket = {
  id: string
  controlPcbId: string | null
  receivedAt: Date
  status: string
  reasons: readonly Reason[]
  raw: string
}

/** Transport-related reasons, which decoding again keeps. */
const ofArrival = new Set<string>(['OUT_OF_ORDER', 'SEQ_GAP', 'NOT_ATTACHED', 'SENSOR_STUCK', 'UPDATE_STATE'])

const lifetime = channels.filter((channel) => channel.lifetime)

/** Charge and counters of the last sample before a time. */
export async function memoryBefore(db: Queryable, controlPcbId: string, time: Date | undefined): Promise<BoardMemory> {
  if (!time) return {}
  const names = ['socPct', ...lifetime.map(({ name }) => name)]
  const row = await telemetryStore.latest(db, { controlPcbId, before: time, names })
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

type Again = { decoder: FrameDecoder; board: Board | undefined; memory: BoardMemory }

export function decodeAgain({ receivedAt, reasons, raw }: StoredPacket, { decoder, board, memory }: Again): DecodedFrame {
  // A frame accepted on arrival had a correct clock; the time of one that was not is in the reason, since nothing else keeps it.
  const doubt = reasons.find(({ code }) => code === 'CLOCK_PAST' || code === 'CLOCK_FUTURE')
  const context: FrameContext = {
    receivedAt,
    ...(doubt ? { wrongAt: new Date(doubt.actual) } : { believedSince: new Date(receivedAt.getTime() - keptMs.samples) }),
    uid: board?.uid ?? '',
    product: board?.product,
    site: board?.site,
    memory,
  }
  return decoder.decode(Buffer.from(raw, 'hex'), context)
}

export type Settled = Pick<DecodedFrame, 'status' | 'reasons' | 'sample'>

/** Without a board the uid cannot be compared; the earlier result stays. */
export function settled(decoded: DecodedFrame, { controlPcbId, reasons: before }: StoredPacket): Settled {
  if (!controlPcbId) return { status: 'INVALID', reasons: before }
  const kept = before.filter(({ code }) => ofArrival.has(code))
  const found = decoded.reasons.filter(({ code }) => !ofArrival.has(code))
  if (decoded.status === 'INVALID') return { status: 'INVALID', reasons: found }
  if (decoded.status === 'UNKNOWN_VERSION') return { status: decoded.status, reasons: [...found, ...kept] }
  const stuck = kept.flatMap(({ code, field }) => (code === 'SENSOR_STUCK' && field ? [field] : []))
  const { sample } = decoded
  const values = sample && { ...sample.values, ...Object.fromEntries(stuck.map((name) => [name, null])) }
  const reasons = [...found, ...kept]
  const status = reasons.some(({ severity }) => severity === 'WARNING') ? 'PARTIAL' : 'VALID'
  return { status, reasons, ...(sample && values ? { sample: { ...sample, values } } : {}) }
}

export type Reread = { packet: StoredPacket; decoded: DecodedFrame; now: Settled }

type Writing = { decoderVersion: string; board: Board | undefined; at: Date; by: string | null }

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** Column of `packageHour` by status. */
const counted: Readonly<Record<string, string>> = {
  VALID: 'valid',
  PARTIAL: 'partial',
  INVALID: 'invalid',
  UNKNOWN_VERSION: 'unread',
}

/** Moves packets with a changed status between the counts of their hour. */
async function moveCounts(db: Queryable, rows: readonly Reread[]): Promise<void> {
  const moves = rows.filter(({ packet, now }) => packet.controlPcbId && packet.status !== now.status)
  const steps = moves.flatMap(({ packet, now }) => [
    { packet, name: counted[packet.status], step: -1 },
    { packet, name: counted[now.status], step: 1 },
  ])
  for (const name of Object.values(counted)) {
    const own = steps.filter((step) => step.name === name)
    if (own.length === 0) continue
    const column = sql.id(name)
    await rowsOf(
      db,
      sql`update "packageHour" "h" set ${column} = greatest(0, "h".${column} + "u"."step") from (
          select "id", date_trunc('hour', "at", 'UTC') as "hour", sum("step")::int4 as "step"
          from unnest(${sql.val(own.map(({ packet }) => packet.controlPcbId))}::text[],
            ${sql.val(own.map(({ packet }) => packet.receivedAt.toISOString()))}::timestamptz[],
            ${sql.val(own.map(({ step }) => step))}::int4[]) as "t" ("id", "at", "step") group by 1, 2) "u"
        where "h"."controlPcbId" = "u"."id" and "h"."hour" = "u"."hour"`,
    )
  }
}

/** Writes new decodings and updates the counts. */
export async function writeAgain(
  db: Queryable,
  rows: readonly Reread[],
  { decoderVersion, board, at, by }: Writing,
): Promise<void> {
  const list = (type: string, value: (row: Reread) => unknown) => sql`${sql.val(rows.map(value))}::${sql.raw(type)}[]`
  const arrays = [
    list('text', ({ packet }) => packet.id),
    list('text', ({ now }) => now.status),
    list('text', ({ now }) => JSON.stringify(now.reasons)),
    list('text', ({ now }) => reasonCodes(now)),
    list('text', ({ decoded }) => decoded.type),
    list('text', ({ decoded }) => textOf(decoded.values.firmwareVersion)),
    list('text', ({ decoded }) => textOf(decoded.values.transport)),
  ]
  await rowsOf(
    db,
    sql`update "package" "p" set "status" = "u"."status", "reasons" = "u"."reasons"::jsonb, "reason" = "u"."reason"::jsonb, "type" = "u"."type",
        "firmwareVersion" = coalesce("u"."firmwareVersion", "p"."firmwareVersion"), "transport" = coalesce("u"."transport", "p"."transport"),
        "product" = coalesce(${board?.product ?? null}::text, "p"."product"), "decoderVersion" = ${decoderVersion}, "reprocessedAt" = ${at},
        "version" = "p"."version" + 1, "updatedAt" = ${at}, "updatedBy" = ${by}
      from unnest(${sql.join(arrays)}) as "u" ("id", "status", "reasons", "reason", "type", "firmwareVersion", "transport")
      where "p"."id" = "u"."id"`,
  )
  await moveCounts(db, rows)
}
