import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit for the body of this route in seconds; 30 by default. */
    bodyTimeoutS?: number
  }
}

const usualS = 30
/** The maximum of all routes, since Node has one limit for all. */
export const serverTimeouts = { requestTimeout: 600_000, http: { headersTimeout: 30_000 } } as const

/** Closes connections that send their body too slowly. Upload routes allow more time. */
export function limitSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (raw.complete || !(raw.headers['transfer-encoding'] || Number(raw.headers['content-length']) > 0)) return
    const timer = setTimeout(() => raw.complete || raw.destroy(), (routeOptions.config.bodyTimeoutS ?? usualS) * 1000)
    const stop = () => clearTimeout(timer)
    raw.once('end', stop).once('close', stop)
  })
}
