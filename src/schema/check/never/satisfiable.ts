import { isNeverEmpty, type Value, valuesAt } from '#schema/check/check-steps.ts'
import { fieldAt } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isMany } from '#schema/list-query.ts'
import { holds, isTemplate, type Rule, type RuleContext } from '#schema/rule.ts'

type Literal = Extract<Rule, { field: string }> & { isDenied: boolean }

const anyone: RuleContext = { user: { id: '', role: 'admin' }, now: '' }
/** Rules with more alternatives are not judged; no definition has one. */
const mostAlternatives = 500

/** Alternatives of a rule, each a conjunction of comparisons; undefined for too many. */
function alternatives(rule: Rule, isDenied = false): Literal[][] | undefined {
  if ('not' in rule) return alternatives(rule.not, !isDenied)
  if ('field' in rule) return [[{ ...rule, isDenied }]]
  const isAll = 'all' in rule !== isDenied
  const parts = ('all' in rule ? rule.all : rule.any).map((part) => alternatives(part, isDenied))
  if (!isAll) return parts.every((part) => part !== undefined) ? parts.flat() : undefined
  let joined: Literal[][] | undefined = [[]]
  for (const part of parts) {
    if (!joined || !part || joined.length * part.length > mostAlternatives) return undefined
    joined = joined.flatMap((left) => part.map((right) => [...left, ...right]))
  }
  return joined
}

const inRange = (field: Field, value: Value) => {
  if (typeof value !== 'number') return true
  const [min, max] = ['min', 'max'].map((bound) => Reflect.get(field, bound))
  return !(typeof min === 'number' && value < min) && !(typeof max === 'number' && value > max)
}

/** Representative values of a field: those of the rule, and those next to and between them. */
function candidates(field: Field, constants: readonly unknown[]): Value[] {
  const numbers = constants.filter((value) => typeof value === 'number').toSorted((a, b) => a - b)
  const isWhole = ['integer', 'duration', 'bytes', 'count'].includes(field.type)
  const between = isWhole ? [] : numbers.map((value, index) => (value + (numbers[index + 1] ?? value)) / 2)
  const bounds = ['min', 'max'].map((bound) => Reflect.get(field, bound)).filter((value) => typeof value === 'number')
  const texts = constants.filter((value) => typeof value === 'string')
  const some: Value[] = [
    ...[...numbers, ...bounds].flatMap((value) => [value - 1, value, value + 1]),
    ...between,
    ...texts.flatMap((text) => [text, `${text} `]),
    ...(texts.length > 0 ? ['', '\u{10FFFF}'] : []),
  ]
  return some.filter((value) => inRange(field, value))
}

/** True for comparisons of one field with constants; others are undecided. */
const isPlain = ({ op, value }: Literal) => op === 'null' || ![value].flat().some(isTemplate)

/**
 * True when a field of several values can satisfy all comparisons. Two sets represent all others: every value that is not
 * forbidden, and none.
 */
function canHold(own: readonly Literal[], mayBeEmpty: boolean): boolean {
  const forbidden = own.flatMap(({ op, value, isDenied }) =>
    (op === 'ne' || op === 'nin') !== isDenied && op !== 'null' ? [value].flat() : [],
  )
  const all = own.flatMap(({ op, value }) => (op === 'null' ? [] : [value].flat()))
  const most = ['-', ...all.filter((value) => value !== null && !forbidden.includes(value))]
  return [most, ...(mayBeEmpty ? [null] : [])].some((value) =>
    own.every(({ isDenied, ...one }) => holds({ ...one, field: 'value' }, { value }, anyone) !== isDenied),
  )
}

function canHoldTogether(literals: readonly Literal[], fields: Fields, isDraft: boolean): boolean {
  return [...new Set(literals.map(({ field }) => field))].every((name) => {
    const field = fieldAt(fields, name)
    const own = literals.filter((one) => one.field === name && isPlain(one))
    const constants = own.flatMap(({ value }) => [value].flat())
    if (!field || own.length === 0) return true
    if (isMany(field)) return canHold(own, isDraft || !isNeverEmpty(fields, name))
    const meets = (value: Value) =>
      own.every(({ isDenied, ...one }) => holds({ ...one, field: 'value' }, { value }, anyone) !== isDenied)
    const empty = isDraft || !isNeverEmpty(fields, name) ? [null] : []
    const filled: Value[] = own.some(({ op }) => op === 'null') ? ['-'] : []
    const values = valuesAt(fields, name) ?? [...candidates(field, constants), ...filled]
    return [...values, ...empty].some(meets)
  })
}

/**
 * False for a rule that no record can satisfy, because its conditions contradict one another or the bounds of a field. Required
 * fields of a draft may still be empty.
 */
export function isSatisfiable(rule: Rule, fields: Fields, isDraft = false): boolean {
  const found = alternatives(rule)
  return found === undefined || found.some((literals) => canHoldTogether(literals, fields, isDraft))
}
