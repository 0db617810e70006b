import { isObject } from '#schema/is-object.ts'
import type { ProblemBody } from '#schema/wire/wire.ts'

/** Translates a key of the shell's words. */
export type Words = (key: string, values?: Record<string, unknown>) => string

/** Codes of failures without a server code. */
export type LocalCode =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'answer.unreadable'
  | 'session.conflict'
  | 'file.changed'
  | 'unknown'

export type HttpProblemFacts = {
  /** Text for the user, in the user's language. */
  message: string
  /** 0 when there was no answer. */
  statusCode: number
  /** The server's stable code, or a LocalCode. */
  code: string
  /** Message by form path, as Refine's forms read it. */
  errors?: Record<string, string> | undefined
  /** 409 on a stale version: the current record. */
  current?: Record<string, unknown> | undefined
  /** 409 on a state transition: the allowed target states. */
  allowed?: readonly string[] | undefined
  /** 409 of a deletion: the records that refer to this one, as the server sent them. */
  uses?: unknown
  requestId?: string | undefined
  retryAfterS?: number | undefined
  /** The call that failed, without its query. */
  call?: string | undefined
  startedAt?: number | undefined
}

/** A failed call in the shape of Refine's HttpError. It holds no request headers, so no token can leak. */
export class HttpProblem extends Error implements HttpProblemFacts {
  override readonly name = 'HttpProblem'
  readonly statusCode: number
  readonly code: string
  readonly errors: Record<string, string> | undefined
  readonly current: Record<string, unknown> | undefined
  readonly allowed: readonly string[] | undefined
  readonly uses: unknown
  readonly requestId: string | undefined
  readonly retryAfterS: number | undefined
  readonly call: string | undefined
  readonly startedAt: number | undefined

  constructor(facts: HttpProblemFacts) {
    super(facts.message)
    this.statusCode = facts.statusCode
    this.code = facts.code
    this.errors = facts.errors
    this.current = facts.current
    this.allowed = facts.allowed
    this.uses = facts.uses
    this.requestId = facts.requestId
    this.retryAfterS = facts.retryAfterS
    this.call = facts.call
    this.startedAt = facts.startedAt
  }
}

export const isHttpProblem = (error: unknown): error is HttpProblem => error instanceof HttpProblem

/** Texts for responses without a problem body, such as those of a proxy. */
const textsByStatus: Readonly<Record<number, string>> = {
  401: 'errors.signIn',
  403: 'errors.forbidden.subtitle',
  404: 'errors.notFound.subtitle',
  413: 'errors.tooLarge',
  429: 'errors.tooMany',
  502: 'errors.unavailable',
  503: 'errors.unavailable',
  504: 'errors.unavailable',
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const textOf = (value: unknown) => (isText(value) ? value : undefined)

function messageOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  return Array.isArray(body.message) ? textOf(body.message.filter(isText).join('; ')) : textOf(body.message)
}

function fieldErrors(fields: unknown): Record<string, string> | undefined {
  if (!isObject(fields)) return undefined
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => isText(entry[1]))
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** `Retry-After` in seconds; the header may also be a date. */
function retryAfter(header: unknown, nowMs: number): number | undefined {
  if (!isText(header)) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000))
}

export type FailedAnswer = {
  statusCode: number
  /** The decoded body, of any shape. */
  body: unknown
  header: (name: string) => unknown
  words: Words
  call?: string | undefined
  startedAt?: number | undefined
}

/** The problem of a response with status 400 or above. */
export function problemOfAnswer({ statusCode, body, header, words, call, startedAt }: FailedAnswer): HttpProblem {
  const problem: Partial<Record<keyof ProblemBody, unknown>> = isObject(body) ? body : {}
  const fallback = textsByStatus[statusCode] ?? 'errors.status'
  return new HttpProblem({
    message: messageOf(body) ?? words(fallback, { status: statusCode }),
    statusCode,
    code: textOf(problem.code) ?? 'unknown',
    errors: fieldErrors(problem.fields),
    current: isObject(problem.current) ? problem.current : undefined,
    allowed: Array.isArray(problem.allowed) ? problem.allowed.filter(isText) : undefined,
    uses: problem.uses,
    requestId: textOf(problem.requestId) ?? textOf(header('x-request-id')),
    retryAfterS: retryAfter(header('retry-after'), Date.now()),
    call,
    startedAt,
  })
}

/** The same for a fetch response whose body is unread. */
export async function problemOfResponse(answer: Response, words: Words): Promise<HttpProblem> {
  const body: unknown = await answer.json().catch(() => null)
  return problemOfAnswer({ statusCode: answer.status, body, header: (name) => answer.headers.get(name), words })
}
