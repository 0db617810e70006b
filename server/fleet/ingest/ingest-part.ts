import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { minuteMs } from '#schema/format/durations.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { Announcer } from './change-throttle.ts'
import { type FrameObserver, type IngestTools, ingestFrames } from './ingest-frames.ts'
import { KnownKeys, type Volume, VolumeLimit } from './ingest-guard.ts'

export type IngestOptions = {
  /** Acts on what boards say: warnings, firmware updates. */
  observers?: readonly FrameObserver[]
  /** For boards that speak another protocol. */
  decoder?: FrameDecoder
  /** Requests per minute and key; 600 by default. */
  requestsPerMin?: number
  /** Volume that each key may store. */
  volume?: Volume
}

const mostFrames = 5_000
const mostBytes = 1024 * 1024
const usualPerMin = 600
/** Four small frames a second, and at once what piles up within half a day at that rate. */
const usualVolume: Volume = { most: 200_000, perMin: 240 }
/** Boards behind one address: many more requests than people make. */
const perAddress = 20
/** Calls with keys that no board has, per address. */
const unknownKeys = { max: 30, timeWindow: 15 * minuteMs }
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

type Limits = { requestsPerMin: number; volume: Volume }

function ingestRoute(api: Api, tools: IngestTools, { requestsPerMin, volume }: Limits): void {
  const { context, decoder } = tools
  const stored = new VolumeLimit(volume)
  api.addContentTypeParser(contentType, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const ofKey = api.createRateLimit({
    max: requestsPerMin,
    timeWindow: minuteMs,
    keyGenerator: (request) => hashOfKey(keyOf(request)),
  })
  const ofAddress = api.createRateLimit({ max: perAddress * context.config.rateLimitPerMin, timeWindow: minuteMs })
  const ofStranger = api.createRateLimit(unknownKeys)
  const known = new KnownKeys()
  const allow = async (request: FastifyRequest, ...counts: (typeof ofKey)[]) => {
    for (const count of counts) {
      const limit = await count(request)
      if (!limit.isAllowed && limit.isExceeded) throw problem('too-many', { retryAfterS: limit.ttlInSeconds })
    }
  }
  // Before the body: a stranger makes the server neither keep nor read what he sends.
  const onRequest = async (request: FastifyRequest) => {
    await allow(request, ofAddress)
    const key = keyOf(request)
    if (!key || !(await known.has(context.database.kysely, hashOfKey(key), context.config.demo))) {
      await allow(request, ofStranger)
      throw problem('device-key.unknown')
    }
    await allow(request, ofKey)
  }
  const described = { bodyType: contentType, body: { type: 'string', format: 'binary' } }
  api.post(
    '/ingest',
    { config: { access: 'public', countsItself: true, described }, schema: about, onRequest, bodyLimit: mostBytes },
    async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) throw problem('wrong-media-type')
      if (request.body.length === 0) throw problem('malformed.empty')
      const frames = decoder.split(request.body, mostFrames)
      if (!frames) throw problem('too-large')
      const keyHash = hashOfKey(keyOf(request))
      const retryAfterS = stored.take(keyHash, frames)
      if (retryAfterS > 0) throw problem('too-many', { retryAfterS })
      return reply.code(202).send(await ingestFrames(tools, { keyHash, frames, ip: request.ip }))
    },
  )
}

/** Ingest of frames. It follows the session and the records, whose tables it fills. */
export function ingestPart({
  observers = [],
  decoder = referenceDecoder,
  requestsPerMin = usualPerMin,
  volume = usualVolume,
}: IngestOptions = {}): ServerPart {
  const announcers = new WeakMap<ServerContext, Announcer>()
  return {
    name: 'ingest',
    async register(api, context) {
      const announcer = new Announcer(context)
      announcers.set(context, announcer)
      const tools = { context, decoder, announcer, observers }
      await api.register(async (scope: Api) => ingestRoute(scope, tools, { requestsPerMin, volume }))
    },
    start: async (context) => () => announcers.get(context)?.close() ?? Promise.resolve(),
  }
}
