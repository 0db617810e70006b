import { type RawBuilder, sql } from 'kysely'
import { fieldOf, listOf, summaryOf, titleOf } from '#schema/definition.ts'
import { type ChoiceField, choiceLabel, choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { type Field, traitsOf } from '#schema/field-types.ts'
import { asDialled } from '#schema/format/plain-text.ts'
import { type Filter, type FilterValue, isMany, type ListQuery, type Sort } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Rule, RuleContext } from '#schema/rule.ts'
import { topOf } from '#schema/rule.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { inlineLanguages, say } from '#schema/words.ts'
import {
  joinedTexts,
  ruleFields,
  type Source,
  searchText,
  sortSql,
  sourceOf,
  subsetSql,
  tableOf,
  valueSql,
} from './field-sql.ts'
import { visibleValue } from './row-access-sql.ts'
import { compileRule } from './rule-sql.ts'
import { seenFields, seenValueSql } from './seen-sql.ts'

type Test = RawBuilder<boolean>

/** A rule as an SQL condition on "t", with the same result as `holds`. */
export const ruleSql = (source: Source, rule: Rule, context: RuleContext): Test =>
  compileRule(rule, context, ruleFields(source))

/** A substring pattern with LIKE's wildcards escaped. */
const contains = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

const like = (value: RawBuilder<unknown>, text: FilterValue | undefined): Test =>
  sql`${value} ilike ${contains(String(text ?? ''))}::text`

const hasAny = (value: RawBuilder<unknown>, words: readonly FilterValue[]): Test =>
  sql`(${value})::jsonb ?| ${sql.val(words.map(String))}::text[]`

const conditions: Record<Exclude<Filter['op'], 'like'>, (filter: Filter) => Rule> = {
  eq: ({ field, values }) => ({ field, op: 'in', value: values }),
  ne: ({ field, values }) => ({ field, op: 'nin', value: values }),
  gte: ({ field, values }) => ({ field, op: 'gte', value: values[0] ?? null }),
  lte: ({ field, values }) => ({ field, op: 'lte', value: values[0] ?? null }),
  null: ({ field, values }) => ({ field, op: 'null', value: values[0] ?? true }),
}

/** A filter with its texts in the form in which they are stored: `im-3001` finds IM-3001, `e7:c6:62` finds E7C662. */
function storedFilter(filter: Filter, field: Field | undefined): Filter {
  if (!field || filter.op === 'null' || traitsOf(field).compare !== 'text') return filter
  const stored = storedTexts(field)
  return { ...filter, values: filter.values.map((value) => (typeof value === 'string' ? stored(value) : value)) }
}

/** One list filter as a condition on what the caller sees. `ne` also matches null. */
export function filterSql(source: Source, filter: Filter): Test {
  if (filter.op === 'like') return like(seenValueSql(source, filter.field), filter.values[0])
  const field = fieldOf(source.resource, filter.field)
  if (field && isMany(field)) return hasAny(seenValueSql(source, filter.field), filter.values)
  return compileRule(conditions[filter.op](storedFilter(filter, field)), undefined, seenFields(source))
}

/** References whose target has the text in what stands for it: its title, and the texts of its summary that lists show. */
function pointsToSql(source: Source, path: string, to: string, q: string): Test {
  const target = sourceOf(source, to)
  if (!target) return sql`false`
  const paths = [...new Set([titleOf(target.resource), ...summaryOf(target.resource)])].filter((name) => {
    const field = fieldOf(target.resource, name)
    return field !== undefined && traitsOf(field).search
  })
  if (paths.length === 0) return sql`false`
  const shown = paths.map((name) => visibleValue(target, name, valueSql(target, name), ruleFields))
  // The target's own search index holds the same text: of many targets, only its hits are compared.
  const { search } = listOf(target.resource)
  const indexed = paths.every((name) => search.includes(name)) ? searchText(target, search) : undefined
  const tests = [subsetSql(target), ...(indexed ? [like(indexed, q)] : []), like(joinedTexts(shown), q)]
  return sql`${valueSql(source, path)} in (select "t"."id" from ${sql.table(tableOf(target.resource))} as "t"
    where ${sql.join(tests, sql` and `)})`
}

/** Choices whose label contains the text, in the viewer's language or the definition's. */
function choiceSql(source: Source, path: string, field: ChoiceField, q: string): Test {
  const languages = [...new Set([...inlineLanguages, source.language ?? 'en'])]
  const isMeant = (choice: string) =>
    languages.some((language) => say(choiceLabel(field, choice), language).toLowerCase().includes(q.toLowerCase()))
  const found = choicesOf(field).filter(isMeant)
  return found.length === 0 ? sql`false` : sql`${valueSql(source, path)} in (${sql.join(found)})`
}

/** Words that a search looks for on their own; a longer text is looked for as it stands, since each word costs a condition. */
const mostWords = 5

/** Words of a search; text in double quotes counts as one, also while the last of them is missing. */
export function searchWords(q: string): readonly string[] {
  const words = [...q.matchAll(/"([^"]+)(?:"|$)|\S+/g)].map(([word, quoted]) => quoted ?? word)
  return words.length > 0 && words.length <= mostWords ? [...new Set(words)] : [q]
}

/** Rows in which a searched field contains the word: its own, or what stands for a target. */
function wordSql(source: Source, paths: readonly string[], word: string): Test {
  const stored = searchText(source, paths)
  const others = paths.flatMap((path): Test[] => {
    const field = fieldOf(source.resource, path)
    if (field?.type === 'reference') return [pointsToSql(source, path, field.to, word)]
    if (field && hasChoices(field)) return [choiceSql(source, path, field, word)]
    return fieldOf(source.resource, topOf(path))?.derived ? [like(valueSql(source, path), word)] : []
  })
  const parts = [...(stored ? [like(stored, word)] : []), ...others]
  return parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`
}

/** Rows whose searched fields together contain every word of the text, each in any of them. */
export function searchSql(source: Source, q: string, readable: (path: string) => boolean): Test {
  const paths = listOf(source.resource).search.filter(readable)
  const found: Test = sql`(${sql.join(
    searchWords(q).map((word) => wordSql(source, paths, word)),
    sql` and `,
  )})`
  const phones = paths.filter((path) => fieldOf(source.resource, path)?.type === 'phone')
  const dialled = asDialled(q)
  // A number is stored as it is dialled, and searched as people write it: with its country, or without that and the zero before it.
  const isWritten = dialled !== q || dialled.startsWith('0')
  if (phones.length === 0 || !isWritten || !/^\+?\d{4,}$/.test(dialled)) return found
  const isCalled = phones.map((path) => like(valueSql(source, path), dialled.replace(/^0/, '')))
  return sql<boolean>`(${sql.join([found, ...isCalled], sql` or `)})`
}

export type Selection = {
  query: Pick<ListQuery, 'filters' | 'q'>
  /** Conditions beyond the query: the role's scope, the parent of a related list. */
  rules: readonly Rule[]
  context: RuleContext
  readable: (path: string) => boolean
}

/** The complete condition of a list. */
export function selectionSql(source: Source, { query, rules, context, readable }: Selection): Test {
  const parts = [
    subsetSql(source),
    ...rules.map((rule) => ruleSql(source, rule, context)),
    ...query.filters.map((filter) => filterSql(source, filter)),
    ...(query.q ? [searchSql(source, query.q, readable)] : []),
  ]
  return sql`${sql.join(parts, sql` and `)}`
}

const never = new Set(['id', 'version', 'createdAt', 'updatedAt'])

const sortTerm = (source: Source, { field, order }: Sort, table: 't' | '') =>
  // Nulls sort last in both directions; a column without nulls omits the clause, so that one index serves both.
  sql`${field === 'id' ? column('id', table) : sortSql(source, field, table)} ${sql.raw(order)}${sql.raw(never.has(field) ? '' : ' nulls last')}`

const column = (name: string, table: 't' | '') => (table ? sql.ref(`t.${name}`) : sql.id(name))

/** Effective sort: requested or default keys, tie-breakers, then the id. */
export function stableSort(resource: AnyResource, sort: readonly Sort[]): readonly Sort[] {
  const own = (sort.length > 0 ? sort : [listOf(resource).sort]).flatMap((each) => {
    const { ties } = fieldOf(resource, each.field)?.sortOnly ?? {}
    return ties ? [each, ties] : [each]
  })
  const last = own.at(-1)?.order ?? 'asc'
  return own.some(({ field }) => field === 'id') ? own : [...own, { field: 'id', order: last }]
}

/** ORDER BY terms of a stable order. */
export function orderSql(source: Source, sort: readonly Sort[], table: 't' | '' = 't'): RawBuilder<unknown> {
  return sql`${sql.join(stableSort(source.resource, sort).map((term) => sortTerm(source, term, table)))}`
}
