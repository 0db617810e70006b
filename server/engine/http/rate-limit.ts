import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { minuteMs } from '#schema/format/durations.ts'
import { problem } from '#server/base/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route has its own limits, because many boards may share an address. */
    countsItself?: true
  }
}

const windowMs = minuteMs
/** Capacity for keys and addresses: with less, calls of a large fleet would be forgotten within their minute. */
const counted = 50_000

/**
 * Rate limit by address before any other work, unknown addresses included. A route may set a lower one by `config: { rateLimit:
 * { max, timeWindow, keyGenerator } }`. Each process counts separately.
 */
export async function limitRequests(app: FastifyInstance, maxPerMin: number): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    timeWindow: windowMs,
    cache: counted,
    errorResponseBuilder: (_request, { ttl }) => problem('too-many', { retryAfterS: Math.ceil(ttl / 1000) }),
  })
  const count = app.createRateLimit({ max: maxPerMin, timeWindow: windowMs })
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.countsItself) return
    const limit = await count(request)
    if (!limit.isAllowed && limit.isExceeded) throw problem('too-many', { retryAfterS: limit.ttlInSeconds })
  })
}
