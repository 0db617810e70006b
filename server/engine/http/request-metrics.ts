import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#server/base/metrics.ts'

const msPerS = 1_000

/** Counts responses by route template: unknown addresses share one label. */
export function measureRequests(app: FastifyInstance, { requests, requestTimes }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { url } = request.routeOptions
    const labels = url ? { method: request.method, route: url } : { method: 'any', route: 'none' }
    requests.inc({ ...labels, status: String(reply.statusCode) })
    // A stream lasts as long as its page is open.
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
    if (!isStream) requestTimes.observe(labels, reply.elapsedTime / msPerS)
  })
}
