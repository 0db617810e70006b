import type { FastifyRequest } from 'fastify'
import { minuteMs } from '#schema/format/durations.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import { type AskedKey, KnownKeys } from '#server/fleet/ingest/ingest-guard.ts'

/** Calls with keys that no board has, per address. */
const unknownKeys = { max: 30, timeWindow: 15 * minuteMs }
/** Look-ups of keys for an address that has made so many of those calls, as a multiple of what people may ask. */
const perAddress = 20

const givenKey = ({ headers }: FastifyRequest): string => {
  const key = headers['x-device-key']
  return typeof key === 'string' && key.length > 0 && key.length <= 200 ? key : ''
}

/** Stands before every call of a board: whose key it is, and how often it came. */
export type DeviceGuard = {
  /** Before the body: the server neither reads nor buffers what an unknown caller sends. */
  onRequest: (request: FastifyRequest) => Promise<void>
  keyOf: (request: FastifyRequest) => AskedKey
  /** The key was found, and the call is within its limits. */
  hasPassed: (request: FastifyRequest) => boolean
}

export function deviceGuard(api: Api, { config, database, clock }: ServerContext, requestsPerMin: number): DeviceGuard {
  const hashOf = (request: FastifyRequest) => hashOfKey(givenKey(request))
  const ofKey = api.createRateLimit({ max: requestsPerMin, timeWindow: minuteMs, keyGenerator: hashOf })
  const ofLookUps = api.createRateLimit({ max: perAddress * config.rateLimitPerMin, timeWindow: minuteMs })
  const ofStranger = api.createRateLimit(unknownKeys)
  const known = new KnownKeys()
  const passed = new WeakSet<FastifyRequest>()
  const allow = async (request: FastifyRequest, count: typeof ofKey) => {
    const limit = await count(request)
    if (!limit.isAllowed && limit.isExceeded) throw problem('too-many', { retryAfterS: limit.ttlInSeconds })
  }
  const keyOf = (request: FastifyRequest) => ({ hash: hashOf(request), demo: config.demo, now: clock() })
  /** Any number of boards may share an address; only one that strangers call from is held to so many look-ups a minute. */
  const isKnown = async (request: FastifyRequest): Promise<boolean> => {
    const key = keyOf(request)
    if (known.remembers(key)) return true
    const strangers = await ofStranger(request, { increment: false })
    if (!strangers.isAllowed && strangers.remaining === 0) await allow(request, ofLookUps)
    return known.has(database.kysely, key)
  }
  const onRequest = async (request: FastifyRequest) => {
    if (!givenKey(request) || !(await isKnown(request))) {
      await allow(request, ofStranger)
      throw problem('device-key.unknown')
    }
    await allow(request, ofKey)
    passed.add(request)
  }
  return { onRequest, keyOf, hasPassed: (request) => passed.has(request) }
}
