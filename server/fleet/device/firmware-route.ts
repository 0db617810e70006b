import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { z } from 'zod'
import { rangeOf } from '#server/base/byte-range.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { fileAnswer, rangeHeaders } from '#server/engine/docs/described-answers.ts'
import { piecesOf } from '#server/engine/files/send-file.ts'
import { markDamaged } from '#server/fleet/firmware/firmware-file.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'
import { updateOfBoard } from '#server/fleet/firmware/updates/update-rows.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { boardOfKey, type DeviceTools, ofDevices } from './device-tools.ts'

const canceled: ReadonlySet<string> = new Set(['CANCELING', 'CANCELED'])

/** Firmware of the board's open update: 404 without one, 410 once cancelled. */
async function firmwareOf(db: Queryable, controlPcbId: string, updateId: string, now: Date): Promise<string> {
  const update = await updateOfBoard(db, controlPcbId, updateId)
  if (update && canceled.has(update.status)) throw problem('gone')
  const offered = await offeredUpdates(db, now, controlPcbId)
  const firmwareId = offered.find(({ id }) => id === updateId)?.firmwareId
  if (firmwareId === undefined) throw problem('not-found')
  return firmwareId
}

type Stored = { size: number; sha256: string; isSound: boolean }

/** Size and hash. The bytes are verified against the hash only when read from the start. */
const storedOf = (db: Queryable, firmwareId: string, isFromStart: boolean) =>
  rowOf(
    db,
    sql<Stored>`select octet_length("c"."content") as "size", "f"."file"->>'sha256' as "sha256", "c"."damagedAt" is null
        and ${isFromStart ? sql`encode(sha256("c"."content"), 'hex') = "f"."file"->>'sha256'` : sql`true`} as "isSound"
      from "firmware" "f" join "firmwareFile" "c" on "c"."firmwareId" = "f"."id" where "f"."id" = ${firmwareId}`,
  )

const imageOf = (firmwareId: string) => ({ table: 'firmwareFile', key: 'firmwareId', id: firmwareId })

/** Download of an update's image, whole or resumed by a range. */
export function firmwareRoute(api: Api, { context, guard }: DeviceTools): void {
  const file = fileAnswer('application/octet-stream', 'The image; its ETag is the SHA-256 of the whole')
  const schema = {
    summary: 'The image of an update that is open for the board, whole or a part of it',
    tags: ['device-api'],
    params: z.object({ updateId: z.string().max(64).meta({ description: 'Id of the update, as the state names it' }) }),
    response: { 200: file, 206: file },
  }
  const options = {
    schema,
    config: { ...ofDevices, readHeaders: rangeHeaders },
    onRequest: guard.onRequest,
    exposeHeadRoute: false,
  }
  api.get('/device/v1/firmware/:updateId', options, async (request, reply) => {
    const { kysely } = context.database
    const { range: asked, 'if-range': ifRange } = request.headers
    const key = guard.keyOf(request)
    const firmwareId = await firmwareOf(kysely, await boardOfKey(kysely, key), request.params.updateId, key.now)
    const stored = await storedOf(kysely, firmwareId, asked === undefined)
    if (!stored) throw problem('not-found')
    if (!stored.isSound) {
      await markDamaged(kysely, firmwareId, { at: key.now, requestId: request.id, ip: request.ip })
      throw fleetProblem('firmware.damaged')
    }
    const { size, sha256 } = stored
    const tag = `"${sha256}"`
    reply.header('content-type', 'application/octet-stream').header('accept-ranges', 'bytes').header('etag', tag)
    const isAllowed = ifRange === undefined || ifRange === tag
    const range = isAllowed ? rangeOf(typeof asked === 'string' ? asked : undefined, size) : undefined
    const part = range ?? { start: 0, end: size - 1 }
    if (range) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
    reply.header('content-length', part.end - part.start + 1)
    return reply.send(Readable.from(piecesOf(kysely, imageOf(firmwareId), part)))
  })
}
