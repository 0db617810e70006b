import { sql } from 'kysely'
import { z } from 'zod'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import { boardOfId } from '#server/fleet/ingest/board-context.ts'
import { clockFactsOf } from '#server/fleet/ingest/clock-offset.ts'
import type { AskedKey } from '#server/fleet/ingest/known-keys.ts'
import { arrivalOf, findStored, isOfBoard, repeatedIn } from '#server/fleet/ingest/store-packages.ts'
import { keptMs } from '#server/fleet/telemetry/bucket-rule.ts'
import type { BoardMemory } from '#server/frames/frame-decoder.ts'
import { boardOfKey, type DeviceTools } from './device-tools.ts'

/** Limit per call, because each frame has a long explanation. */
export const mostExplained = 100

const reason = z.object({
  code: z.string(),
  severity: z.string(),
  field: z.string().optional(),
  offset: z.int().optional(),
  length: z.int().optional(),
  expected: z.string(),
  actual: z.string(),
  suspectOffset: z.int().optional(),
})
const field = z.object({
  name: z.string(),
  offset: z.int(),
  length: z.int(),
  raw: z.string(),
  value: z.unknown(),
  unit: z.string().nullable(),
  ok: z.boolean(),
})
export const explained = z.object({
  time: z.int(),
  frames: z.array(
    z.object({
      index: z.int(),
      type: z.string(),
      status: z.string(),
      seq: z.int().nullable(),
      deviceTime: z.int().nullable(),
      reasons: z.array(reason),
      fields: z.array(field),
    }),
  ),
})

type Sent = { frames: readonly Buffer[]; sentAtMs: number | undefined }

/** Dry run: explains how a board's frames would be decoded. Stores nothing. */
export async function explainFrames(
  { context, decoder }: DeviceTools,
  key: AskedKey,
  { frames, sentAtMs }: Sent,
): Promise<z.infer<typeof explained>> {
  const { kysely } = context.database
  const receivedAt = context.clock()
  const controlPcbId = await boardOfKey(kysely, key)
  const board = await boardOfId(kysely, controlPcbId)
  if (!board) throw problem('device-key.unknown')
  const kept = await rowOf(
    kysely,
    sql<{ memory: BoardMemory }>`select "memory" from "boardMemory" where "controlPcbId" = ${controlPcbId}`,
  )
  const arrivals = frames.map((bytes) => arrivalOf(bytes, decoder.identify(bytes)))
  const duplicates = new Set([...(await findStored(kysely, arrivals)), ...repeatedIn(arrivals)])
  const keptSince = new Date(receivedAt.getTime() - keptMs.samples)
  const clock = clockFactsOf({ sentAtMs, arrivals, receivedAt, keptSince })
  let memory = kept?.memory ?? {}
  const read = arrivals.map((arrival, index) => {
    const { uid, product, site } = board
    const decoded = decoder.decode(arrival.bytes, { ...clock, uid, product, site, memory })
    const isDuplicate = duplicates.has(arrival) && isOfBoard(decoded)
    if (!isDuplicate) memory = decoded.memory
    const { type, seq, deviceTime, reasons, fields } = decoded
    return {
      index,
      type,
      status: isDuplicate ? 'DUPLICATE' : decoded.status,
      seq,
      deviceTime: deviceTime?.getTime() ?? null,
      reasons: [...reasons],
      fields: [...fields],
    }
  })
  return { time: receivedAt.getTime(), frames: read }
}
