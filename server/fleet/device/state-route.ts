import { z } from 'zod'
import type { Api } from '#server/base/context.ts'
import { deviceState, tagOf } from './device-state.ts'
import { boardOfKey, type DeviceTools, ofDevices } from './device-tools.ts'
import { offeredSchema } from './offered-schema.ts'

const answer = z.object({
  time: z.int().meta({ description: 'Epoch milliseconds' }),
  nextReportS: z.int(),
  configuration: z
    .object({ version: z.int(), desired: z.record(z.string(), z.unknown()) })
    .nullable()
    .meta({ description: 'To be applied; null once the board has applied the latest version' }),
  update: offeredSchema.nullable().meta({ description: 'To be installed now' }),
})

const isSame = (given: string | undefined, tag: string) =>
  (given ?? '').split(',').some((one) => one.trim() === tag || one.trim() === '*')

/** Route of the desired state: configuration to apply and update to install. */
export function stateRoute(api: Api, { context, guard }: DeviceTools): void {
  const schema = {
    summary: 'What the board of this key is to apply and to install',
    tags: ['device-api'],
    response: { 200: answer, 304: z.null() },
  }
  const { onRequest } = guard
  const config = {
    ...ofDevices,
    readHeaders: { 'If-None-Match': 'The ETag of the last answer: 304 while nothing has changed' },
  }
  api.get('/device/v1/state', { schema, config, onRequest, exposeHeadRoute: false }, async (request, reply) => {
    const { kysely } = context.database
    const key = guard.keyOf(request)
    const { state } = await deviceState(kysely, await boardOfKey(kysely, key), key.now)
    const tag = tagOf(state)
    reply.header('etag', tag)
    if (isSame(request.headers['if-none-match'], tag)) return reply.code(304).send(null)
    return reply.code(200).send({ time: key.now.getTime(), ...state })
  })
}
