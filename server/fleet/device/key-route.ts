import { z } from 'zod'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { makeNextKey } from '#server/fleet/board/device-key.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { type DeviceTools, ofDevices, withBoard } from './device-tools.ts'

/** Key rotation by the board. */
export function keyRoute(api: Api, tools: DeviceTools): void {
  const { guard } = tools
  const schema = {
    summary:
      'A new key for the board, shown once; both keys work until the new one is used, and the old one a day longer. 409 while a next key that an admin has made waits for its first use',
    description:
      'Asked for again before its first use, only the last key works: an answer may be lost, and is not given again. Six keys an hour; further calls are 429 with `Retry-After`, and the keys that work go on.',
    tags: ['device-api'],
    response: { 201: z.object({ key: z.string() }) },
  }
  api.post('/device/v1/key', { schema, config: ofDevices, onRequest: guard.onRequest }, async (request, reply) => {
    const asked = guard.keyOf(request)
    const key = await withBoard(tools, asked, async (db, { controlPcbId }) => {
      const { waitS } = await takeAttempt(db, [limits.keyRotation(controlPcbId)], asked.now)
      if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
      const made = await makeNextKey(db, { controlPcbId, hash: asked.hash, now: asked.now })
      if ('refusal' in made) throw fleetProblem(made.refusal)
      const of = { entityType: 'control-pcb', entityId: controlPcbId }
      await addAudit(db, { at: asked.now, action: 'rotate-key', ...of, requestId: request.id, ip: request.ip })
      return made.key
    })
    return reply.code(201).send({ key })
  })
}
