import { longestOf } from '#schema/facts/longest-text.ts'
import { placesOf } from '#schema/format/filled-text.ts'
import { isObject } from '#schema/is-object.ts'
import { anchored } from '#schema/value-schema.ts'
import type { KnownNames } from './report/known-names.ts'
import { checkLabel, type Report, unknownKeys } from './report/report.ts'

export type PatternScope = Pick<KnownNames, 'slowPattern'>

const atom = /^(?:\\[dwsDWS.\-/+*?()[\]{}|^$\\]|\[(?:[^\]\\]|\\.)+\]|[^\\()[\]{}|*+?^$])/
const quantifier = /^(?:\{(\d+)(?:,\d*)?\}|([*?])|\+)\??/

type Read = { length: number; rest: string }

/** Parses branches up to the end of a group or of the pattern. */
function branches(pattern: string): Read | undefined {
  let rest = pattern
  let [least, length] = [Number.POSITIVE_INFINITY, 0]
  while (rest !== '' && !rest.startsWith(')')) {
    if (rest.startsWith('|')) {
      least = Math.min(least, length)
      length = 0
      rest = rest.slice(1)
      continue
    }
    if (/^[\^$]/.test(rest)) {
      rest = rest.slice(1)
      continue
    }
    const read = piece(rest)
    if (!read) return undefined
    const [whole = '', times, none] = quantifier.exec(read.rest) ?? []
    length += read.length * (times !== undefined ? Number(times) : none ? 0 : 1)
    rest = read.rest.slice(whole.length)
  }
  return { length: Math.min(least, length), rest }
}

function piece(pattern: string): Read | undefined {
  if (pattern.startsWith('(')) {
    const inner = pattern.replace(/^\((\?:)?/, '')
    const read = inner.startsWith('?') ? undefined : branches(inner)
    return read?.rest.startsWith(')') ? { length: read.length, rest: read.rest.slice(1) } : undefined
  }
  const [whole] = atom.exec(pattern) ?? []
  return whole === undefined ? undefined : { length: 1, rest: pattern.slice(whole.length) }
}

/** Length of the shortest match; undefined for unsupported syntax such as lookahead and named classes. */
function shortestFit(pattern: string): number | undefined {
  const read = branches(pattern)
  return read?.rest === '' ? read.length : undefined
}

type Matched = { pattern: string; longest: number; isWhole: boolean }

/** Compiles a pattern; reports one that cannot be read or that backtracks catastrophically. */
function readPattern(
  report: Report,
  path: string,
  { pattern, longest, isWhole }: Matched,
  { slowPattern }: PatternScope,
): boolean {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    report('bad-pattern', path, `the pattern cannot be read: ${error instanceof Error ? error.message : error}`)
    return false
  }
  const slow = slowPattern?.(isWhole ? anchored(pattern).source : pattern, longest)
  if (slow !== undefined) report('slow-pattern', path, slow)
  return true
}

/** A pattern must compile, not backtrack catastrophically, fit into `maxLength`, and be explained in `help`. */
export function checkPattern(
  report: Report,
  path: string,
  field: Readonly<Record<string, unknown>>,
  scope: PatternScope,
): void {
  const { pattern, help, readOnly, maxLength } = field
  const matched = { pattern: String(pattern), longest: longestOf(field), isWhole: true }
  if (pattern === undefined || !readPattern(report, `${path}.pattern`, matched, scope)) return
  const least = shortestFit(String(pattern))
  if (least !== undefined && typeof maxLength === 'number' && maxLength < least)
    report(
      'pattern-too-long',
      `${path}.maxLength`,
      `a text that fits the pattern has ${least} characters or more; drop maxLength`,
    )
  if (help === undefined && !readOnly)
    report('pattern-without-help', path, "people must be told what fits the pattern: add help: ['…', '…']")
}

/** Words for values of a pattern: each placeholder of the label is a named group of the pattern. */
export function checkWorded(report: Report, path: string, field: Readonly<Record<string, unknown>>, scope: PatternScope): void {
  const { worded } = field
  if (worded === undefined) return
  if (!isObject(worded) || typeof worded.pattern !== 'string')
    return report('wrong-type', path, "words for values are { pattern: '^m(?<module>\\d+)$', label: ['module {module}', '…'] }")
  unknownKeys(report, 'unknown-key', path, worded, ['pattern', 'label'], 'words for values')
  checkLabel(report, `${path}.label`, worded.label)
  const matched = { pattern: worded.pattern, longest: longestOf(field), isWhole: false }
  if (!readPattern(report, `${path}.pattern`, matched, scope)) return
  const among = [...worded.pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name = '']) => name)
  const word = (Array.isArray(worded.label) ? worded.label.map(String) : [])
    .flatMap(placesOf)
    .find((name) => !among.includes(name))
  if (word !== undefined) report('unknown-placeholder', `${path}.label`, `the pattern has no group "${word}"`, { word, among })
}
