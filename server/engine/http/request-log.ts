import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Never the query: it may hold names and e-mails. Never headers or bodies: they hold tokens and passwords. */
const shown = (request: FastifyRequest) => ({ method: request.method, path: request.url.split('?')[0], ip: request.ip })

/** Text and place of an error, not the values that the database quotes in its details. */
export const logSerializers = {
  err: (error: Error & { code?: string }) => ({
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    code: error.code,
  }),
}

/** One line for each answer. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const answer = { status: reply.statusCode, ms: Math.round(reply.elapsedTime), userId: request.caller?.userId }
    // Boards report all the time: what went well with them is worth no line.
    const isRoutine = request.routeOptions.config.countsItself && reply.statusCode < 400
    request.log[isRoutine ? 'debug' : 'info']({ ...shown(request), ...answer }, 'answered')
  })
}
