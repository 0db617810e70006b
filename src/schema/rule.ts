import type { Role } from './roles.ts'

export const ruleOps = ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'null'] as const
export type RuleOp = (typeof ruleOps)[number]
type Scalar = string | number | boolean | null

/**
 * A condition as data, evaluated alike by the console and the server. A value may be `$user.id`, `$user.role`, `$now`,
 * `$today` (the day in UTC), or `$record.<path>` (another field of the same record). `null` tests whether the field is empty (true) or filled (false).
 * Of `references` and `tags`, which hold several values, `eq` and `in` ask for one that is among them, `ne` and `nin` for none.
 */
export type Rule =
  | { all: readonly Rule[] }
  | { any: readonly Rule[] }
  | { not: Rule }
  | { field: string; op: RuleOp; value: Scalar | readonly Scalar[] }

/** Values of `$user…` and `$now`. */
export type RuleContext = { user: { id: string; role: Role }; now: string }

/** Value at a dotted path of a record; undefined when a step is missing. */
export function valueAt(record: unknown, path: string): unknown {
  // Most paths are the name of one field, and every rule of every record reads some.
  if (!path.includes('.')) return ownAt(record, path)
  let at: unknown = record
  for (const key of path.split('.')) at = ownAt(at, key)
  return at
}

const ownAt = (at: unknown, key: string): unknown =>
  typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined

/** The field of the record at the head of a path: `location` of `location.city`. */
export const topOf = (path: string): string => path.split('.')[0] ?? path

/** True for a template value: `$row.id`. */
export const isTemplate = (value: unknown): boolean => typeof value === 'string' && value.startsWith('$')

/** Resolves a rule value: `$user.id` → the id, `$record.x` → that field, anything else → itself. */
export function resolveValue(value: unknown, record: unknown, context: RuleContext): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, record, context))
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  if (value === '$now') return context.now
  if (value === '$today') return context.now.slice(0, 10)
  if (value.startsWith('$user.')) return valueAt(context.user, value.slice('$user.'.length))
  if (value.startsWith('$record.')) return valueAt(record, value.slice('$record.'.length)) ?? null
  return value
}

const compare = (a: unknown, b: unknown): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return undefined
}
const ordered = (test: (order: number) => boolean) => (a: unknown, b: unknown) => {
  const order = compare(a, b)
  return order !== undefined && test(order)
}
/** Equality; a field with several values equals each of them, as in the filters of a list. */
const equals = (a: unknown, b: unknown) => (Array.isArray(a) ? b !== null && a.includes(b) : a === b)
const within = (a: unknown, b: unknown) => (Array.isArray(b) ? b : [b]).some((item) => equals(a, item))

const tests: Record<RuleOp, (a: unknown, b: unknown) => boolean> = {
  eq: equals,
  ne: (a, b) => !equals(a, b),
  in: within,
  nin: (a, b) => !within(a, b),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  null: (a, b) => (a === null) === (b === true),
}

/** Evaluates a rule on a record. A missing field counts as null; null is neither greater nor less than anything. */
export function holds(rule: Rule, record: unknown, context: RuleContext): boolean {
  if ('all' in rule) return rule.all.every((part) => holds(part, record, context))
  if ('any' in rule) return rule.any.some((part) => holds(part, record, context))
  if ('not' in rule) return !holds(rule.not, record, context)
  return tests[rule.op](valueAt(record, rule.field) ?? null, resolveValue(rule.value, record, context))
}

/** All field paths that a rule reads, including `$record.…` values. */
export function fieldsOfRule(rule: Rule): string[] {
  if ('all' in rule) return rule.all.flatMap(fieldsOfRule)
  if ('any' in rule) return rule.any.flatMap(fieldsOfRule)
  if ('not' in rule) return fieldsOfRule(rule.not)
  const values: readonly unknown[] = Array.isArray(rule.value) ? rule.value : [rule.value]
  const others = values.filter((value) => typeof value === 'string' && value.startsWith('$record.'))
  return [rule.field, ...others.map((value) => String(value).slice('$record.'.length))]
}
