import { type RawBuilder, sql } from 'kysely'
import { allFields, baseOf, type Definitions, fieldOf, summaryOf, titleOf } from '#schema/definition.ts'
import { choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import { type Field, type FieldOf, type Fields, traitsOf } from '#schema/field-types.ts'
import { isMany } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, type Rule, topOf } from '#schema/rule.ts'
import type { Language } from '#schema/words.ts'
import type { Caller } from '#server/base/caller.ts'
import { isVersion, versionNumbers } from '#server/db/version-sql.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { choiceRank } from './choice-order.ts'
import { columnKindOf, isStored, type Kind } from './column-types.ts'
import { andRowAccess, hidesIds, rowAccessSql, visibleValue } from './row-access-sql.ts'
import { compileRule, type RuleFields } from './rule-sql.ts'
import { type RowsBeside, standalone } from './shared-rows.ts'

export type RulesByResource = Readonly<Record<string, ResourceRules>>
/**
 * SQL source over a resource; its table is always "t". With a caller, values are masked for that caller; `isWhole` keeps the
 * row's own values and masks only those of referenced records.
 */
export type Source = {
  resource: AnyResource
  definitions: Definitions
  rules: RulesByResource
  caller?: Caller | undefined
  isWhole?: boolean
  /** Language of labels that lists sort by; default: English. */
  language?: Language
  /** Time for scopes. */
  now: Date
  /** Set inside a visibility condition, which counts all records. */
  isJudging?: boolean
  /** Set for the columns of a select that joins these rows. */
  beside?: RowsBeside | undefined
}

/** Table of a resource; a subset uses its base's table. */
export const tableOf = (resource: AnyResource): string => baseOf(resource).replaceAll('-', '_')

export const sourceOf = (source: Source, name: string): Source | undefined => {
  const resource = source.definitions.get(name)
  return resource ? { ...source, resource, isWhole: false, beside: undefined } : undefined
}

/** Derived SQL from the resource's rules, or for a subset from its base's. */
function derivedSql(source: Source, name: string): RawBuilder<unknown> | undefined {
  const { resource, rules, caller, beside } = source
  const own = rules[resource.name] ?? {}
  const whole = rules[resource.subset?.of ?? ''] ?? {}
  const derived = own.derived?.[name] ?? whole.derived?.[name]
  if (derived) return beside ? beside.valueOf(derived) : standalone(derived)
  return own.forCaller?.(caller)[name] ?? whole.forCaller?.(caller)[name]
}

/** The value, or its mask when hidden from the caller. */
function masked(source: Source, name: string, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const { resource, rules, caller, isWhole } = source
  if (!caller || isWhole) return value
  const masks = (rules[resource.name]?.masks ?? rules[resource.subset?.of ?? '']?.masks)?.(caller)
  const mask = masks?.values[name]
  return masks && mask ? sql`(case when ${masks.when} then ${mask} else ${value} end)` : value
}

const jsonCasts: Record<Kind, string> = {
  text: '',
  number: '::float8',
  exact: '::numeric',
  boolean: '::bool',
  // Text: days and instants inside a group are stored as ISO text, which sorts correctly.
  date: '',
  time: '',
  json: '',
}

/** Kind of the value at a path: instants and days inside a group are text. */
export const kindAt = (field: Field, path: string): Kind => {
  const kind = columnKindOf(field)
  return path.includes('.') && (kind === 'time' || kind === 'date') ? 'text' : kind
}

const inside = (base: RawBuilder<unknown>, keys: readonly string[], kind: Kind) => {
  const operator = kind === 'json' ? '#>' : '#>>'
  return sql`((${base}) ${sql.raw(operator)} ${sql.lit(`{${keys.join(',')}}`)})${sql.raw(jsonCasts[kind])}`
}

/** The value at a path; parts of a group are cast to their type. An unknown path is a programming error. */
export function valueSql(source: Source, path: string, table: 't' | '' = 't'): RawBuilder<unknown> {
  const [name = '', ...keys] = path.split('.')
  const field = fieldOf(source.resource, path)
  const top = allFields(source.resource)[name]
  if (!field || !top) throw new Error(`${source.resource.name} has no field ${path}`)
  const part = keys.length > 0 ? derivedSql(source, path) : undefined
  if (part) return sql`(${part})`
  const base = masked(source, name, isStored(top) ? columnSql(name, table) : workedOut(source, name, top))
  return keys.length === 0 ? base : inside(base, keys, columnKindOf(field))
}

const columnSql = (name: string, table: 't' | '') => (table ? sql`${sql.ref(`t.${name}`)}` : sql`${sql.id(name)}`)

function workedOut(source: Source, name: string, field: Field): RawBuilder<unknown> {
  const own = derivedSql(source, name)
  if (own) return sql`(${own})`
  return field.type === 'count' ? countSql(source, field) : sql`null`
}

// The outer "t" is aliased first, since the inner table is also "t".
export const correlated = (outer: RawBuilder<unknown>, inner: RawBuilder<unknown>) =>
  sql`(select (${inner}) from (select ${outer} as "key") as "o")`

/** The same for an outer value that costs: without `offset` the planner repeats its expression for every use of "key". */
export const correlatedOnce = (outer: RawBuilder<unknown>, inner: RawBuilder<unknown>) =>
  sql`(select (${inner}) from (select ${outer} as "key" offset 0) as "o")`

/** Field access of rules over a resource. */
export const ruleFields = (source: Source): RuleFields => ({
  value: (path) => valueSql(source, path),
  kind: (path) => {
    const field = fieldOf(source.resource, path)
    return field ? kindAt(field, path) : 'json'
  },
  isChoice: (path, value) => {
    const field = fieldOf(source.resource, path)
    if (field?.type === 'boolean') return typeof value === 'boolean'
    return !!field && hasChoices(field) && choicesOf(field).some((choice) => choice === value)
  },
})

/** True when a rule asks for ids that the caller may not know. */
const asksHiddenIds = (target: Source, rule: Rule): boolean =>
  fieldsOfRule(rule).some((path) => {
    const field = fieldOf(target.resource, path)
    const other = isReference(field) ? sourceOf(target, field.to) : undefined
    return other !== undefined && hidesIds(other, ruleFields)
  })

/**
 * Number of rows that reference this one and are visible to the caller; null when the role sees none, or not what they are counted
 * by.
 */
function countSql(source: Source, { of, by, where }: FieldOf<'count'>): RawBuilder<unknown> {
  const target = sourceOf(source, of ?? '')
  const access = target && rowAccessSql(target, ruleFields)
  if (!target || !by || access === 'none' || (where && asksHiddenIds(target, where))) return sql`null`
  const part = where ? compileRule(where, undefined, ruleFields(target)) : sql`true`
  const field = fieldOf(target.resource, by)
  const refers = sql`${valueSql(target, by)} ${sql.raw(field && isMany(field) ? '?' : '=')} "o"."key"`
  const inner = sql`select count(*) from ${sql.table(tableOf(target.resource))} as "t"
    where ${refers} and ${subsetSql(target)} and ${part}${andRowAccess(access)}`
  return correlated(sql`"t"."id"`, inner)
}

/** Condition for a row of the table to belong to the resource. */
export function subsetSql({ resource }: Source): RawBuilder<boolean> {
  const parts = Object.entries(resource.subset?.where ?? {}).map(
    ([name, value]) => sql`${sql.ref(`t.${name}`)} = ${sql.lit(value)}`,
  )
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, sql` and `)})`
}

/** Sort expression: choices by rank, text in natural order, versions by number, references by the name of their target. */
export function sortSql(source: Source, path: string, table: 't' | '' = 't'): RawBuilder<unknown> {
  const field = fieldOf(source.resource, path)
  if (!field) throw new Error(`${source.resource.name} has no field ${path}`)
  const value = valueSql(source, path, table)
  if (field.type === 'reference') return referenceSort(source, field, value)
  if (field.type === 'semver') return versionSort(value)
  if (hasChoices(field)) return choiceRank(field, value, source.language ?? 'en')
  return kindAt(field, path) === 'text' ? sql`${value} collate "und-x-icu"` : value
}

const versionSort = (value: RawBuilder<unknown>) => sql`(case when ${isVersion(value)} then ${versionNumbers(value)} end)`

function referenceSort(source: Source, field: FieldOf<'reference'>, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const target = sourceOf(source, field.to)
  if (!target) return id
  const [name = titleOf(target.resource)] = summaryOf(target.resource)
  const named: Field | undefined = fieldOf(target.resource, name)
  const own = named?.type === 'reference' ? sql`"t"."id"` : sortSql(target, name)
  const value = visibleValue(target, name, own, ruleFields)
  const inner = sql`select ${value} from ${sql.table(tableOf(target.resource))} as "t"
    where "t"."id" = "o"."key" and ${subsetSql(target)}`
  return correlated(id, inner)
}

/** Separates concatenated search texts, so that no match spans two fields. */
const between = sql.raw(`E'\\x1f'`)

/** Texts as one; a missing one is empty. */
export const joinedTexts = (texts: readonly RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`(${sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql` || ${between} || `,
  )})`

/** All searched stored fields as one text; undefined when there is none. */
export function searchText(source: Source, paths: readonly string[], table: 't' | '' = 't'): RawBuilder<string> | undefined {
  const fields: Fields = allFields(source.resource)
  const stored = paths.filter((path) => {
    const top = fields[topOf(path)]
    const field = fieldOf(source.resource, path)
    return top && isStored(top) && field && traitsOf(field).search
  })
  if (stored.length === 0) return undefined
  return joinedTexts(stored.map((path) => valueSql(source, path, table)))
}
