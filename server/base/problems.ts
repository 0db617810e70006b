import { STATUS_CODES } from 'node:http'
import { type Fault, faultText } from '#schema/faults.ts'
import type { ProblemBody, Use } from '#schema/wire/wire.ts'
import { type Label, type LabelValue, type Language, offeredLanguage, say, sayValue, sourceLanguage } from '#schema/words.ts'
import { type ProblemRow, problemTable } from './problem-table.ts'

/** A fault of one value. `label` is the field's display name; `text` replaces the text of the code. */
export type ShownFault = Fault & { label?: Label; text?: Label }

export type ProblemFacts = {
  /** Faults by field; they become `message` (a list) and `fields` of the answer. */
  faults?: readonly ShownFault[]
  /** 409 on a stale version: the current record. 422 of a used key: the record that the first call has stored. */
  current?: Readonly<Record<string, unknown>>
  /** 405 and 409: the allowed alternatives. */
  allowed?: readonly string[]
  /** Their labels. */
  allowedLabels?: readonly Label[]
  /** 409 of a deletion: what refers to the record, as far as the caller sees it. */
  uses?: readonly Use[]
  /** 429 and 503: after how many seconds to try again. */
  retryAfterS?: number
  /** Placeholder values of the code's text; labels are shown in the request's language. */
  values?: Readonly<Record<string, LabelValue>>
}

/** An error with a stable code for the client. The error handler serialises it; nothing of `cause` leaves the server. */
export class Problem extends Error {
  readonly code: string
  readonly status: number
  readonly text: Label
  readonly facts: ProblemFacts

  constructor(code: string, { status, text }: ProblemRow, facts: ProblemFacts, options?: ErrorOptions) {
    super(code, options)
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.text = text
    this.facts = facts
  }
}

/** Placeholders filled by other facts or the request. */
type Given = 'requestId' | 'allowed' | 'retryAfterS' | 'fields'
/** Name in `{count, plural, one {# board} …}`; its branches contain a space. */
type NameIn<Part> = Part extends `${infer Name},${string}` ? Name : Part extends `${string} ${string}` ? never : Part
type Placeholder<Text> = Text extends `${string}{${infer Part}}${infer Rest}` ? NameIn<Part> | Placeholder<Rest> : never
type ValueName<Row extends ProblemRow> = Exclude<Placeholder<Row['text'][0]>, Given>
type FactsOf<Row extends ProblemRow> = [ValueName<Row>] extends [never]
  ? [facts?: Omit<ProblemFacts, 'values'>, cause?: unknown]
  : [facts: ProblemFacts & { values: Readonly<Record<ValueName<Row>, LabelValue>> }, cause?: unknown]

/**
 * Factory for the problems of one table: `throw essProblem('ess.has-boards')`. Placeholders of the text are required arguments.
 * A row that names a field marks that form field.
 */
export const problemsOf =
  <const Table extends { readonly [Code in keyof Table]: ProblemRow }>(table: Table) =>
  <Code extends keyof Table & string>(code: Code, ...[facts = {}, cause]: FactsOf<Table[Code]>): Problem => {
    const row: ProblemRow = table[code]
    const faults = row.field === undefined ? {} : { faults: [{ path: row.field, code }] }
    return new Problem(code, row, { ...faults, ...facts }, cause === undefined ? undefined : { cause })
  }

/** Factory for shared problems: `throw problem('stale-version', { current })`. */
export const problem = problemsOf(problemTable)

/** Deduplicates faults by path and code in linear time: a hostile body may have one per key. */
export function distinctFaults(faults: readonly ShownFault[]): ShownFault[] {
  const first = new Map<string, ShownFault>()
  for (const fault of faults) {
    const key = `${fault.path}\0${fault.code}`
    if (!first.has(key)) first.set(key, fault)
  }
  return [...first.values()]
}

/** A 400 that reports every fault at once. */
export const invalid = (faults: readonly ShownFault[]): Problem => problem('invalid', { faults })

/** Faults of values that the caller may not have: the label of a hidden field would tell that it exists. */
const unnamedFaults: ReadonlySet<string> = new Set(['unknown-key', 'unknown-field', 'unknown-column'])

/** The fault with the label of its path, where it has none. */
export function labelFault(fault: ShownFault, labelOf: (path: string) => Label | undefined): ShownFault {
  const label = fault.label ?? (unnamedFaults.has(fault.code) ? undefined : labelOf(fault.path))
  return label ? { ...fault, label } : fault
}

/** The problem with a label for each fault that has none. */
export function labelFaults(problem: Problem, labelOf: (path: string) => Label | undefined): Problem {
  const { code, status, text, facts, cause } = problem
  if (!facts.faults) return problem
  const faults = facts.faults.map((fault) => labelFault(fault, labelOf))
  return new Problem(code, { status, text }, { ...facts, faults }, { cause })
}

function sentence({ text, facts }: Problem, language: Language, requestId: string): string {
  const { faults, allowed, allowedLabels, retryAfterS, values } = facts
  const possible = allowedLabels?.map((label) => say(label, language)) ?? allowed
  const known: ProblemFacts['values'] = {
    requestId,
    ...(possible ? { allowed: possible.join(', ') || '—' } : {}),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(faults ? { fields: faults.map((fault) => nameOf(fault, language)).join(', ') } : {}),
    ...values,
  }
  const shown = Object.fromEntries(Object.entries(known).map(([name, value]) => [name, sayValue(value, language)]))
  return say(text, language, shown)
}

const nameOf = ({ label, path }: ShownFault, language: Language) => (label ? say(label, language) : path)
const faultSentence = (fault: ShownFault, language: Language) =>
  fault.text ? say(fault.text, language) : faultText(fault, language)

/** Bounds the answer: a hostile address or body can have thousands of faults, and the answer would be nine times its size. */
const mostFaults = 50
const moreFaults: Label = [
  '{count, plural, one {# more is not listed} other {# more are not listed}}',
  'Ещё {count, plural, one {# ошибка не показана} few {# ошибки не показаны} other {# ошибок не показано}}',
]

type Telling = { language: Language; requestId: string; left: number }

function messageOf(problem: Problem, { language, requestId, left }: Telling): string | string[] {
  const { faults } = problem.facts
  if (problem.code !== 'invalid' || !faults || faults.length === 0) return sentence(problem, language, requestId)
  const lines = faults.map((fault) => [nameOf(fault, language), faultSentence(fault, language)].filter(Boolean).join(': '))
  return left > 0 ? [...lines, say(moreFaults, language, { count: left })] : lines
}

/** The problem with as many faults as an answer lists. */
function bounded(problem: Problem): Problem {
  const { code, status, text, facts, cause } = problem
  if (!facts.faults || facts.faults.length <= mostFaults) return problem
  return new Problem(code, { status, text }, { ...facts, faults: facts.faults.slice(0, mostFaults) }, { cause })
}

/** Response body of a problem, in a language. */
export function problemBody(whole: Problem, language: Language, requestId: string): ProblemBody {
  const problem = bounded(whole)
  const { faults, current, allowed, uses } = problem.facts
  const left = (whole.facts.faults?.length ?? 0) - (faults?.length ?? 0)
  const single = problem.code === 'invalid' ? undefined : sentence(problem, language, requestId)
  return {
    statusCode: problem.status,
    error: STATUS_CODES[problem.status] ?? 'Error',
    message: messageOf(problem, { language, requestId, left }),
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
    ...(uses ? { uses: [...uses] } : {}),
    requestId,
  }
}

/** Language of a request: the offered one with the highest weight, else the source language. */
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
    return { language: offeredLanguage(name), weight }
  })
  const known = weighed.filter(({ language, weight }) => language && weight > 0)
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? sourceLanguage
}
