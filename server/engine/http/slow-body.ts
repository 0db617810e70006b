import type { FastifyInstance } from 'fastify'
import { largestFileBytes } from '#schema/files.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may come over a slow line: it has time as long as `slowestBytesPerS` arrive on average. */
    isSlowLineServed?: boolean
  }
}

/** Time for a body, and for the first bytes over a slow line. */
const bodyTimeoutS = 30
/** A board or a phone at the edge of its network. */
export const slowestBytesPerS = 8 * 1024
/** Node has one limit for the requests of all routes: the largest upload over the slowest line. */
const requestTimeoutS = bodyTimeoutS + largestFileBytes / slowestBytesPerS
export const serverTimeouts = { requestTimeout: requestTimeoutS * 1000, http: { headersTimeout: 30_000 } } as const

/** Closes connections that send their body too slowly. */
export function limitSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (raw.complete || !(raw.headers['transfer-encoding'] || Number(raw.headers['content-length']) > 0)) return
    const before = raw.socket.bytesRead
    const earnedS = () => (routeOptions.config.isSlowLineServed ? (raw.socket.bytesRead - before) / slowestBytesPerS : 0)
    let timer: NodeJS.Timeout
    const waitUntil = (limitS: number, elapsedS: number) => {
      timer = setTimeout(
        () => {
          if (raw.complete) return
          const nextS = bodyTimeoutS + earnedS()
          // Less than a second more is not worth another timer.
          if (nextS < limitS + 1) raw.destroy()
          else waitUntil(nextS, limitS)
        },
        (limitS - elapsedS) * 1000,
      )
    }
    waitUntil(bodyTimeoutS, 0)
    const stop = () => clearTimeout(timer)
    raw.once('end', stop).once('close', stop)
  })
}
