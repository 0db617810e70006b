import { z } from 'zod'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import type { Queryable } from '#server/db/query.ts'
import { fileAnswer, rangeHeaders } from '#server/engine/docs/described-answers.ts'
import { sendBytes } from '#server/engine/files/send-file.ts'
import { imageBytes, imageFacts, markDamaged } from '#server/fleet/firmware/firmware-file.ts'
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
    const key = guard.keyOf(request)
    const firmwareId = await firmwareOf(kysely, await boardOfKey(kysely, key), request.params.updateId, key.now)
    const image = await imageFacts(kysely, firmwareId, request.headers.range === undefined)
    if (!image) throw problem('not-found')
    if (!image.isIntact || image.isMarked) {
      await markDamaged(kysely, firmwareId, { at: key.now, requestId: request.id, ip: request.ip })
      throw fleetProblem('firmware.damaged')
    }
    const { size, sha256 } = image
    return sendBytes(kysely, { ...imageBytes(firmwareId), size, sha256 }, request, reply)
  })
}
