import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '#server/db/database-problem.ts'

/**
 * Without the query, which may contain names and e-mails, and without headers and bodies, which contain tokens and passwords.
 */
const shown = (request: FastifyRequest) => ({ method: request.method, path: request.url.split('?')[0], ip: request.ip })

/**
 * Message and stack of an error, without the values that the database quotes in its details. While the database is away every job and
 * every queue fails over and over: where they stood says nothing.
 */
export const logSerializers = {
  err: (error: Error & { code?: string }) => ({
    type: error.name,
    message: error.message,
    stack: isDatabaseAway(error) ? '' : (error.stack ?? ''),
    code: error.code,
  }),
}

/** One line per response. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const answer = { status: reply.statusCode, ms: Math.round(reply.elapsedTime), userId: request.caller?.userId }
    // Boards report and supervisors look constantly: their successful requests are not logged.
    const { countsItself, shed } = request.routeOptions.config
    const isRoutine = (countsItself || shed === 'never') && reply.statusCode < 400
    request.log[isRoutine ? 'debug' : 'info']({ ...shown(request), ...answer }, 'answered')
  })
}
