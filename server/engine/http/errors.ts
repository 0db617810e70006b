import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Label } from '#schema/words.ts'
import type { ProblemCode } from '#server/base/problem-table.ts'
import { labelFaults, languageOf, Problem, problem, problemBody } from '#server/base/problems.ts'
import { type ConstraintFields, databaseProblem, isDatabaseAway } from '#server/db/database-problem.ts'
import { OutageLog } from './outage-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Display name of a value that the route takes, by its path in the body: names a fault that has no label of its own. */
    inputLabel?: (path: string) => Label | undefined
  }
}

type FrameworkCode = Extract<
  ProblemCode,
  | 'malformed'
  | 'no-such-address'
  | 'too-large'
  | 'address-too-long'
  | 'wrong-media-type'
  | 'range-not-satisfiable'
  | 'too-many'
  | 'headers-too-large'
  | 'unavailable'
>

/** Errors of the framework. Forbidden file paths are answered like missing ones. */
const codesOfStatus: Record<number, FrameworkCode> = {
  400: 'malformed',
  403: 'no-such-address',
  404: 'no-such-address',
  413: 'too-large',
  414: 'address-too-long',
  415: 'wrong-media-type',
  416: 'range-not-satisfiable',
  429: 'too-many',
  431: 'headers-too-large',
  503: 'unavailable',
}

const statusOf = (error: unknown): number => {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : 500
}

const addressOf = (request: FastifyRequest) => ({
  method: request.method,
  path: request.url.split('?')[0]?.slice(0, 200) ?? '',
})

/** Maps any thrown value to a problem. An unknown error becomes a 500, and its text stays in the log. */
export function toProblem(error: unknown, request: FastifyRequest, named?: ConstraintFields): Problem {
  if (error instanceof Problem) return error
  const code = codesOfStatus[statusOf(error)]
  if (!code) return databaseProblem(error, named) ?? problem('fault', {}, error)
  if (code === 'malformed' && error instanceof SyntaxError) return problem('malformed.json', {}, error)
  return problem(code, { values: addressOf(request) }, error)
}

/** By the server that serves: plugins have instances of their own. */
const outages = new WeakMap<object, OutageLog>()
function outageOf({ server }: FastifyRequest): OutageLog {
  const known = outages.get(server.server) ?? new OutageLog(server.log)
  outages.set(server.server, known)
  return known
}

/** A refusal on purpose, as on a full disk, has no fault to look for: it comes with every frame. */
function logFailure(request: FastifyRequest, { cause, code }: Problem) {
  const { log } = request
  if (cause === undefined) log.warn({ code }, 'request refused')
  else if (code === 'unavailable' && isDatabaseAway(cause)) outageOf(request).refused(cause)
  else log.error({ err: cause, code }, 'request failed')
}

function answer(request: FastifyRequest, reply: FastifyReply, refusal: Problem) {
  const language = languageOf(request)
  const { retryAfterS } = refusal.facts
  if (refusal.status >= 500) logFailure(request, refusal)
  if (retryAfterS !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS))))
  const { inputLabel } = request.routeOptions.config
  const named = inputLabel ? labelFaults(refusal, inputLabel) : refusal
  return reply
    .code(refusal.status)
    .headers({ 'cache-control': 'no-store', 'content-language': language, 'content-type': 'application/json; charset=utf-8' })
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problemBody(named, language, request.id))
}

/** Answers an uncaught error. */
export const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply, named?: ConstraintFields) =>
  answer(request, reply, toProblem(error, request, named))

/** Answers 404. */
export const answerNotFound = (request: FastifyRequest, reply: FastifyReply) =>
  answer(request, reply, problem('no-such-address', { values: addressOf(request) }))

/** Every error is sent as the contract's problem body, in the request's language, without internals. */
export function answerErrors(app: FastifyInstance, named?: ConstraintFields): void {
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, named))
}
