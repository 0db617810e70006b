import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Api, ServerContext, ServerPart } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { problem } from '#server/problems.ts'
import { callerOf } from '#server/records/work.ts'
import { addAudit } from '#server/session/audit-entry.ts'
import { Announcer } from './announcer.ts'
import { boardOfId } from './board-context.ts'
import { hashOfKey, makeDeviceKey } from './device-key.ts'
import { type FrameObserver, type IngestTools, ingestFrames } from './ingest-frames.ts'

export type IngestOptions = {
  /** Acts on what boards say: warnings, firmware updates. */
  observers?: readonly FrameObserver[]
  /** For boards that speak another protocol. */
  decoder?: FrameDecoder
  /** Requests a minute that one key may make; 600 unless said. */
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
      if (request.body.length === 0) throw problem('malformed', { values: { reason: ['it is empty', 'он пуст'] } })
      const frames = decoder.split(request.body, mostFrames)
      if (!frames) throw problem('too-large')
      return reply.code(202).send(await ingestFrames(tools, { keyHash: hashOfKey(key), frames, ip: request.ip }))
    },
  )
}

const idParams = z.object({ id: z.string().min(1).max(64) })
const made = z.object({ deviceKey: z.string() })

function keyRoute(api: Api, { database, clock }: ServerContext): void {
  const schema = {
    summary: 'A new key for a board: shown once, the one before it stops working',
    tags: ['control-pcb'],
    params: idParams,
    response: { 201: made },
  }
  const config = { access: ['admin'] as const, audit: { action: 'device-key', entityType: 'control-pcb' } }
  api.post('/control-pcb/:id/device-key', { config, schema }, async (request, reply) => {
    const { userId, role } = callerOf(request)
    const { id } = request.params
    const deviceKey = await inTransaction(database, async (db) => {
      if (!(await boardOfId(db, id))) throw problem('not-found')
      const now = clock()
      const by = { at: now, actorId: userId, role, requestId: request.id, ip: request.ip }
      await addAudit(db, { ...by, action: 'device-key', entityType: 'control-pcb', entityId: id })
      return makeDeviceKey(db, { controlPcbId: id, now, by: userId })
    })
    return reply.code(201).send({ deviceKey })
  })
}

/** What boards send. It comes after the session and the records, whose tables it fills. */
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
      keyRoute(api, context)
    },
    start: async (context) => () => announcers.get(context)?.close() ?? Promise.resolve(),
  }
}
