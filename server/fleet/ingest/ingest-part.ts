import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { Announcer } from './change-throttle.ts'
import { type FrameObserver, type IngestTools, ingestFrames } from './ingest-frames.ts'

export type IngestOptions = {
  /** Acts on what boards say: warnings, firmware updates. */
  observers?: readonly FrameObserver[]
  /** For boards that speak another protocol. */
  decoder?: FrameDecoder
  /** Requests per minute and key; 600 by default. */
  requestsPerMin?: number
}

const mostFrames = 5_000
const usualPerMin = 600
/** Boards behind one address: many more requests than people make. */
const perAddress = 20
const contentType = 'application/octet-stream'

const keyOf = ({ headers }: FastifyRequest): string => {
  const key = headers['x-device-key']
  return typeof key === 'string' && key.length > 0 && key.length <= 200 ? key : ''
}

const counted = z.object({ accepted: z.int(), invalid: z.int(), duplicate: z.int() })
const about = {
  summary: 'Frames of a board, one or more; all are stored before the answer',
  description: 'The header X-Device-Key carries the key of the board.',
  tags: ['ingest'],
  response: { 202: counted },
}

function ingestRoute(api: Api, tools: IngestTools, requestsPerMin: number): void {
  const { context, decoder } = tools
  api.addContentTypeParser(contentType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const ofKey = api.createRateLimit({
    max: requestsPerMin,
    timeWindow: 60_000,
    keyGenerator: (request) => hashOfKey(keyOf(request)),
  })
  const ofAddress = api.createRateLimit({ max: perAddress * context.config.rateLimitPerMin, timeWindow: 60_000 })
  const described = { bodyType: contentType, body: { type: 'string', format: 'binary' } }
  api.post(
    '/ingest',
    { config: { access: 'public', countsItself: true, described }, schema: about },
    async (request, reply) => {
      const key = keyOf(request)
      if (!key) throw problem('device-key.unknown')
      for (const count of [ofAddress, ofKey]) {
        const limit = await count(request)
        if (!limit.isAllowed && limit.isExceeded) throw problem('too-many', { retryAfterS: limit.ttlInSeconds })
      }
      if (!Buffer.isBuffer(request.body)) throw problem('wrong-media-type')
      if (request.body.length === 0) throw problem('malformed.empty')
      const frames = decoder.split(request.body, mostFrames)
      if (!frames) throw problem('too-large')
      return reply.code(202).send(await ingestFrames(tools, { keyHash: hashOfKey(key), frames, ip: request.ip }))
    },
  )
}

/** Ingest of frames. It follows the session and the records, whose tables it fills. */
export function ingestPart({
  observers = [],
  decoder = referenceDecoder,
  requestsPerMin = usualPerMin,
}: IngestOptions = {}): ServerPart {
  const announcers = new WeakMap<ServerContext, Announcer>()
  return {
    name: 'ingest',
    async register(api, context) {
      const announcer = new Announcer(context)
      announcers.set(context, announcer)
      await api.register(async (scope: Api) => ingestRoute(scope, { context, decoder, announcer, observers }, requestsPerMin))
    },
    start: async (context) => () => announcers.get(context)?.close() ?? Promise.resolve(),
  }
}
