import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { largestFileBytes } from '#schema/files.ts'
import { problem } from '#server/base/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may come over a slow line: it has time as long as so many bytes a second arrive on average. */
    leastBytesPerS?: number
  }
}

/** Time for a body, and for the first bytes over a slow line. */
export const bodyTimeoutS = 30
/**
 * Slowest lines that are waited for. `upload`: a phone at the edge of its network. `board`: one on GPRS or NB-IoT (16 kbit/s), whose
 * backlog would never arrive otherwise. A slow sender holds a connection that much longer, but not as a stranger: the key of the board is
 * known before the body is read, few of its bodies are open at once (`OpenBodies`), and none has more than 1 MiB.
 */
export const leastBytesPerS = { upload: 8 * 1024, board: 1024 } as const
/** Node has one limit for the requests of all routes: the largest upload over the slowest line. */
const requestTimeoutS = bodyTimeoutS + largestFileBytes / leastBytesPerS.upload
export const serverTimeouts = { requestTimeout: requestTimeoutS * 1000, http: { headersTimeout: 30_000 } } as const

/** Tells the sender, and closes the connection: the rest of the body would be read as the next request. */
function refuse({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent) {
    raw.destroy()
    return
  }
  reply.raw.once('finish', () => raw.destroy())
  reply.header('connection', 'close').send(problem('too-slow'))
}

/** Ends requests that send their body too slowly. */
export function limitSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, routeOptions } = request
    if (raw.complete || !(raw.headers['transfer-encoding'] || Number(raw.headers['content-length']) > 0)) return
    const before = raw.socket.bytesRead
    const { leastBytesPerS: least } = routeOptions.config
    const earnedS = () => (least ? (raw.socket.bytesRead - before) / least : 0)
    let timer: NodeJS.Timeout
    const waitUntil = (limitS: number, elapsedS: number) => {
      timer = setTimeout(
        () => {
          if (raw.complete) return
          const nextS = bodyTimeoutS + earnedS()
          // Less than a second more is not worth another timer.
          if (nextS < limitS + 1) refuse(request, reply)
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
