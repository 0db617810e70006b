import { type RawBuilder, sql } from 'kysely'
import { type Rule, type RuleContext, type RuleOp, resolveValue } from '#schema/rule.ts'
import { isoTime } from '#server/db/iso-time.ts'
import type { Kind } from './column-types.ts'

/** Resolves field names in rules. `isChoice`: the field has a fixed set of values that includes this one. */
export type RuleFields = {
  value: (path: string) => RawBuilder<unknown>
  kind: (path: string) => Kind
  isChoice: (path: string, value: unknown) => boolean
}

type Test = RawBuilder<boolean>
type Comparison = '>' | '>=' | '<' | '<='

const yes: Test = sql`true`
const no: Test = sql`false`

const canonicalTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const canonicalDate = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const isRealDay = (text: string) => {
  const time = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))
}

type Operands = { left: RawBuilder<unknown>; right: RawBuilder<unknown>; textual?: true }

const asText = (left: RawBuilder<unknown>, value: string): Operands => ({
  left,
  right: sql`${value}::text`,
  textual: true,
})

/** Both sides of a comparison with a constant; undefined when the kinds are not comparable. */
const operands: Record<Kind, (left: RawBuilder<unknown>, value: unknown) => Operands | undefined> = {
  text: (left, value) => (typeof value === 'string' ? asText(left, value) : undefined),
  number: (left, value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    return { left, right: Number.isSafeInteger(value) ? sql`${value}::int8` : sql`${value}::float8` }
  },
  exact: (left, value) =>
    typeof value === 'number' && Number.isFinite(value) ? { left, right: sql`${String(value)}::numeric` } : undefined,
  boolean: (left, value) => (typeof value === 'boolean' ? { left, right: sql`${value}::bool` } : undefined),
  // A constant in another format than the column is compared as text, as `holds` does.
  date: (left, value) => {
    if (typeof value !== 'string') return undefined
    if (canonicalDate.test(value) && isRealDay(value)) return { left, right: sql`${value}::date` }
    return asText(sql`(${left})::text`, value)
  },
  time: (left, value) => {
    if (typeof value !== 'string') return undefined
    if (canonicalTime.test(value) && isRealDay(value) && !value.startsWith('0000'))
      return { left, right: sql`${value}::timestamptz` }
    return asText(isoTime(left), value)
  },
  json: () => undefined,
}

/** Containment: JSON that is the value, or an array that has it. A GIN index on the column serves it. */
const among = (list: RawBuilder<unknown>, value: RawBuilder<unknown>): Test => sql`(${list})::jsonb @> to_jsonb(${value})`

const scalars: Readonly<Record<string, (value: unknown) => RawBuilder<unknown>>> = {
  string: (value) => sql`${value}::text`,
  boolean: (value) => sql`${value}::bool`,
  number: (value) => sql`${String(value)}::numeric`,
}

/** Without a context values are literals, never templates: query strings are untrusted. */
type Compiled = { fields: RuleFields; context: RuleContext | undefined }
type Leaf = Extract<Rule, { field: string }>

function equals(leaf: Leaf, value: unknown, { fields, context }: Compiled): Test {
  const left = fields.value(leaf.field)
  const other = context && recordPath(value)
  if (other !== undefined) return sameField(leaf.field, other, fields)
  const constant = context ? resolveValue(value, undefined, context) : value
  if (constant === null || constant === undefined) return sql`${left} is null`
  // Inlined: a statement without parameters is planned once, for its own constants.
  if (fields.isChoice(leaf.field, constant)) return sql`${left} = ${sql.lit(constant)}`
  const kind = fields.kind(leaf.field)
  if (kind === 'json') {
    const scalar = scalars[typeof constant]
    return scalar ? among(left, scalar(constant)) : no
  }
  const sides = operands[kind](left, constant)
  return sides ? sql`${sides.left} = ${sides.right}` : no
}

const recordPath = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('$record.') ? value.slice('$record.'.length) : undefined

const textOf = (path: string, fields: RuleFields) =>
  fields.kind(path) === 'time' ? isoTime(fields.value(path)) : sql`(${fields.value(path)})::text`

/** Kinds that `holds` compares with each other: text, days and instants are all text on the wire. */
const family = (kind: Kind): Kind => families[kind] ?? kind
const families: Partial<Record<Kind, Kind>> = { date: 'text', time: 'text', exact: 'number' }

const areNumbers = (kind: Kind, otherKind: Kind) => family(kind) === 'number' && family(otherKind) === 'number'

function sameField(path: string, other: string, fields: RuleFields): Test {
  const [a, b] = [fields.value(path), fields.value(other)]
  const [kind, otherKind] = [fields.kind(path), fields.kind(other)]
  if (kind !== 'json' && (kind === otherKind || areNumbers(kind, otherKind))) return sql`${a} is not distinct from ${b}`
  const areEmpty: Test = sql`(${a} is null and ${b} is null)`
  if (kind === 'json' && otherKind !== 'json')
    return sql`(${areEmpty} or ${among(a, family(otherKind) === 'text' ? textOf(other, fields) : b)})`
  if (kind === 'json' || family(kind) !== family(otherKind)) return areEmpty
  return sql`${textOf(path, fields)} is not distinct from ${textOf(other, fields)}`
}

function orderedFields(path: string, other: string, sign: Comparison, fields: RuleFields): Test {
  const [kind, otherKind] = [fields.kind(path), fields.kind(other)]
  const operator = sql.raw(sign)
  if (family(kind) !== family(otherKind) || kind === 'json' || kind === 'boolean') return no
  if (areNumbers(kind, otherKind) || (kind === otherKind && kind !== 'text'))
    return sql`${fields.value(path)} ${operator} ${fields.value(other)}`
  return sql`${textOf(path, fields)} collate "C" ${operator} ${textOf(other, fields)} collate "C"`
}

function ordered(leaf: Leaf, sign: Comparison, { fields, context }: Compiled): Test {
  const other = context && recordPath(leaf.value)
  if (other !== undefined) return orderedFields(leaf.field, other, sign, fields)
  const kind = fields.kind(leaf.field)
  const sides = operands[kind](fields.value(leaf.field), context ? resolveValue(leaf.value, undefined, context) : leaf.value)
  if (!sides || kind === 'boolean') return no
  // Rules compare text by code point, as JavaScript does.
  return sql`${sides.left} ${sql.raw(sides.textual ? 'collate "C"' : '')} ${sql.raw(sign)} ${sides.right}`
}

const or = (parts: readonly Test[]): Test => (parts.length === 0 ? no : sql`(${sql.join(parts, sql` or `)})`)
const and = (parts: readonly Test[]): Test => (parts.length === 0 ? yes : sql`(${sql.join(parts, sql` and `)})`)
// Null counts as false, so it must not pass through a `not`.
const not = (part: Test): Test => sql`not coalesce(${part}, false)`

const listOf = (value: Leaf['value']): readonly unknown[] => (Array.isArray(value) ? value : [value])
const anyOf = (leaf: Leaf, compiled: Compiled) => or(listOf(leaf.value).map((value) => equals(leaf, value, compiled)))

const leaves: Record<RuleOp, (leaf: Leaf, compiled: Compiled) => Test> = {
  eq: (leaf, compiled) => equals(leaf, leaf.value, compiled),
  ne: (leaf, compiled) => not(equals(leaf, leaf.value, compiled)),
  in: anyOf,
  nin: (leaf, compiled) => not(anyOf(leaf, compiled)),
  gt: (leaf, compiled) => ordered(leaf, '>', compiled),
  gte: (leaf, compiled) => ordered(leaf, '>=', compiled),
  lt: (leaf, compiled) => ordered(leaf, '<', compiled),
  lte: (leaf, compiled) => ordered(leaf, '<=', compiled),
  null: (leaf, { fields }) =>
    leaf.value === true ? sql`${fields.value(leaf.field)} is null` : sql`${fields.value(leaf.field)} is not null`,
}

/** Compiles a rule to SQL with the same result as `holds` (null counts as false). */
export function compileRule(rule: Rule, context: RuleContext | undefined, fields: RuleFields): Test {
  if ('all' in rule) return and(rule.all.map((part) => compileRule(part, context, fields)))
  if ('any' in rule) return or(rule.any.map((part) => compileRule(part, context, fields)))
  if ('not' in rule) return not(compileRule(rule.not, context, fields))
  return leaves[rule.op](rule, { fields, context })
}
