import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Requests whose sender holds the body back until asked to continue (RFC 9110, section 10.1.1). */
const waiting = new WeakSet<IncomingMessage>()

const isWelcome = ({ raw, routeOptions }: FastifyRequest) =>
  Number(raw.headers['content-length'] ?? 0) <= (routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY)

/**
 * Asks for a body that a sender holds back once its head is judged: node would ask at once, and a board would send its backlog over a
 * slow line to learn that its key is unknown. Registered last of the hooks that judge a head.
 */
export function continueWhenJudged(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request)
    app.routing(request, response)
  })
  app.addHook('preParsing', async (request: FastifyRequest, reply: FastifyReply) => {
    if (waiting.has(request.raw) && isWelcome(request)) {
      waiting.delete(request.raw)
      reply.raw.writeContinue()
    }
  })
  // Without its body the next request of this connection has no certain beginning.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (waiting.has(raw)) reply.header('connection', 'close')
  })
}
