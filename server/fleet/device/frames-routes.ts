import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { leastBytesPerS } from '#server/engine/http/slow-body.ts'
import { perGroup } from '#server/fleet/ingest/per-group.ts'
import { type Volume, VolumeLimit } from '#server/fleet/ingest/volume-limit.ts'
import { type BoardState, deviceStates, nothingNew } from './device-state.ts'
import { type DeviceTools, ofDevices } from './device-tools.ts'
import { explained, explainFrames, mostExplained } from './explain-frames.ts'
import type { FrameIntake } from './frame-intake.ts'
import { OpenBodies } from './open-bodies.ts'

const mostFrames = 5_000
const mostBytes = 1024 * 1024
const contentType = 'application/octet-stream'
/** Frames per minute, regardless of the remaining burst. */
const perMinute: Volume = { most: 20_000, perMin: 20_000 }

const counted = z.object({
  accepted: z.int(),
  invalid: z.int().meta({ description: 'Kept, but nothing could be read' }),
  duplicate: z.int().meta({ description: 'Known already' }),
  refused: z
    .array(z.object({ index: z.int(), reason: z.string() }))
    .meta({ description: 'The invalid frames by their place in the body, at most 50' }),
  time: z.int().meta({ description: 'The clock of the server in epoch milliseconds' }),
  news: z
    .object({ configuration: z.int().optional(), update: z.string().optional() })
    .meta({ description: 'A look at the state pays off for these' }),
  nextReportS: z.int().meta({ description: 'The next report is expected after so many seconds' }),
})
const about = {
  summary: 'Frames of a board, one or more; all are stored before the answer',
  tags: ['device-api'],
}
const querystring = z.strictObject({
  explain: z.string().optional().meta({ description: 'Keeps nothing and answers what each frame is read as: for development' }),
})

/** A malformed header is ignored. */
const sentAtOf = ({ headers }: FastifyRequest): number | undefined => {
  const given = headers['x-sent-at']
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined
}

/** Clocks of boards at the arrival of their bodies: over a slow line that is minutes after the head said the time. */
class SentClocks {
  readonly #begun = new WeakMap<FastifyRequest, Date>()

  begin(request: FastifyRequest, now: Date): void {
    this.#begun.set(request, now)
  }
  of(request: FastifyRequest, now: Date): number | undefined {
    const [sentAtMs, begun = now] = [sentAtOf(request), this.#begun.get(request)]
    return sentAtMs === undefined ? undefined : sentAtMs + now.getTime() - begun.getTime()
  }
}

type Taking = { volume: Volume; intake: FrameIntake }

/** Frame upload, at the version 1 path and the legacy path. */
export function framesRoutes(api: Api, tools: DeviceTools, { volume, intake }: Taking): void {
  const { context, decoder, guard } = tools
  const { database, clock } = context
  const stored = new VolumeLimit(perMinute, volume)
  const clocks = new SentClocks()
  const states = perGroup((db, boards: readonly string[]) => deviceStates(db, boards, clock()))
  api.addContentTypeParser(contentType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const framesOf = ({ body }: FastifyRequest, most: number): Buffer[] => {
    if (!Buffer.isBuffer(body)) throw problem('wrong-media-type')
    if (body.length === 0) throw problem('malformed.empty')
    const frames = decoder.split(body, most)
    if (!frames) throw problem('too-large')
    return frames
  }
  /** Frames that a stream has are acknowledged without news while the database is away. */
  const newsOf = (boards: readonly string[]) =>
    states(database.kysely, boards).catch((error: unknown) => {
      if (!intake.isApart || databaseProblem(error)?.code !== 'unavailable') throw error
      return new Map<string, BoardState>()
    })
  async function take(request: FastifyRequest): Promise<z.infer<typeof counted>> {
    const frames = framesOf(request, mostFrames)
    const boardId = guard.boardOf(request)
    const retryAfterS = stored.take(boardId, frames)
    if (retryAfterS > 0) {
      context.metrics.frames.inc({ outcome: 'refused' }, frames.length)
      throw problem('too-many', { retryAfterS })
    }
    const receivedAt = clock()
    const sent = { keyHash: guard.keyOf(request).hash, controlPcbId: boardId, frames, ip: request.ip, receivedAt }
    const { controlPcbId, group, ...counts } = await intake.take({ ...sent, sentAtMs: clocks.of(request, receivedAt) })
    const now = clock()
    const { news, state } = (await newsOf(group)).get(controlPcbId) ?? nothingNew
    return { ...counts, time: now.getTime(), news, nextReportS: state.nextReportS }
  }
  const open = new OpenBodies()
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    clocks.begin(request, clock())
    await guard.onRequest(request)
    open.begin(guard.boardOf(request), reply.raw)
  }
  const config = {
    ...ofDevices,
    leastBytesPerS: leastBytesPerS.board,
    readHeaders: { 'X-Sent-At': 'What time it is by the clock of the board, in epoch milliseconds' },
    described: { bodyType: contentType, body: { type: 'string', format: 'binary' } },
  }
  const limits = { config, onRequest, bodyLimit: mostBytes }
  api.post(
    '/device/v1/frames',
    { ...limits, schema: { ...about, querystring, response: { 200: explained, 202: counted } } },
    async (request, reply) => {
      if (request.query.explain === undefined) return reply.code(202).send(await take(request))
      const sent = { frames: framesOf(request, mostExplained), sentAtMs: clocks.of(request, clock()) }
      return reply.code(200).send(await explainFrames(tools, guard.keyOf(request), sent))
    },
  )
  const alias = { summary: 'The same as POST /device/v1/frames, under its first address', tags: ['device-api'] }
  api.post('/ingest', { ...limits, schema: { ...alias, response: { 202: counted } } }, async (request, reply) =>
    reply.code(202).send(await take(request)),
  )
}
