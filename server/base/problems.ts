import { STATUS_CODES } from 'node:http'
import { type Fault, faultText } from '#schema/faults.ts'
import type { ProblemBody } from '#schema/wire/wire.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import { type ProblemCode, problemTable } from './problem-table.ts'

/** A fault of one value. `label` names the field to a person; `text` replaces the sentence of the code. */
export type ShownFault = Fault & { label?: Label; text?: Label }

export type ProblemFacts = {
  /** Faults by field; they become `message` (a list) and `fields` of the answer. */
  faults?: readonly ShownFault[]
  /** 409 of a stale version: the record as it is now. */
  current?: Readonly<Record<string, unknown>>
  /** 405 and 409: what is possible instead. */
  allowed?: readonly string[]
  /** 429 and 503: after how many seconds to try again. */
  retryAfterS?: number
  /** Values for the placeholders of the text; a label is rendered in the caller's language. */
  values?: Readonly<Record<string, string | number | Label>>
}

/** A refusal with a stable code. The error handler answers it; nothing of `cause` leaves the server. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly facts: ProblemFacts

  constructor(code: ProblemCode, facts: ProblemFacts, options?: ErrorOptions) {
    super(code, options)
    this.name = 'Problem'
    this.code = code
    this.status = problemTable[code].status
    this.facts = facts
  }
}

/** Makes a refusal: `throw problem('stale-version', { current })`. */
export const problem = (code: ProblemCode, facts: ProblemFacts = {}, cause?: unknown): Problem =>
  new Problem(code, facts, cause === undefined ? undefined : { cause })

/** A 400 that reports every fault at once. */
export const invalid = (faults: readonly ShownFault[]): Problem => problem('invalid', { faults })

const textOf = (value: string | number | Label | undefined, language: Language): string =>
  typeof value === 'object' ? say(value, language) : String(value ?? '')

function sentence({ code, facts }: Problem, language: Language, requestId: string): string {
  const { faults, allowed, retryAfterS, values } = facts
  const known: ProblemFacts['values'] = {
    requestId,
    ...(allowed ? { allowed: allowed.join(', ') } : {}),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(faults ? { fields: faults.map((fault) => nameOf(fault, language)).join(', ') } : {}),
    ...values,
  }
  return say(problemTable[code].text, language).replace(/\{(\w+)\}/g, (_, key: string) => textOf(known[key], language))
}

const nameOf = ({ label, path }: ShownFault, language: Language) => (label ? say(label, language) : path)
const faultSentence = (fault: ShownFault, language: Language) =>
  fault.text ? say(fault.text, language) : faultText(fault, language)

function messageOf(problem: Problem, language: Language, requestId: string): string | string[] {
  const { faults } = problem.facts
  if (problem.code !== 'invalid' || !faults || faults.length === 0) return sentence(problem, language, requestId)
  return faults.map((fault) => [nameOf(fault, language), faultSentence(fault, language)].filter(Boolean).join(': '))
}

/** The body of a refusal in a language. */
export function problemBody(problem: Problem, language: Language, requestId: string): ProblemBody {
  const { faults, current, allowed } = problem.facts
  const single = problem.code === 'invalid' ? undefined : sentence(problem, language, requestId)
  return {
    statusCode: problem.status,
    error: STATUS_CODES[problem.status] ?? 'Error',
    message: messageOf(problem, language, requestId),
    code: problem.code,
    ...(faults && faults.length > 0
      ? {
          fields: Object.fromEntries(
            faults.toReversed().map((fault) => [fault.path, single ?? faultSentence(fault, language)]),
          ),
        }
      : {}),
    ...(current ? { current } : {}),
    ...(allowed ? { allowed: [...allowed] } : {}),
    requestId,
  }
}

/** The language that a request asks for; English unless Russian is preferred. */
export function languageOf(request: { headers: { 'accept-language'?: string | undefined } }): Language {
  const asked = (request.headers['accept-language'] ?? '').slice(0, 200).toLowerCase().split(',')
  const weighed = asked.map((part) => {
    const [name = '', ...parameters] = part.trim().split(';')
    const weight = Number(
      parameters
        .find((text) => text.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    )
    return { language: name.split('-')[0], weight }
  })
  const known = weighed.filter(({ language, weight }) => (language === 'en' || language === 'ru') && weight > 0)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language === 'ru' ? 'ru' : 'en'
}
