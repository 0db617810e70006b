import { allFields, fieldAt } from '#schema/definition.ts'
import type { ListFilters } from '#schema/facts/figure-facts.ts'
import { filterTime } from '#schema/facts/relative-times.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { operatorsOf, splitKey } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { pathsIn } from './check-rules.ts'
import { checkConstant, kindOf } from './check-values.ts'
import { type Report, withArticle } from './report/report.ts'

/** Endings that other languages have, with ours. */
const endings: Readonly<Record<string, string>> = {
  before: '_lte',
  until: '_lte',
  to: '_lte',
  lt: '_lte',
  le: '_lte',
  max: '_lte',
  after: '_gte',
  since: '_gte',
  from: '_gte',
  gt: '_gte',
  ge: '_gte',
  min: '_gte',
  not: '_ne',
  neq: '_ne',
  contains: '_like',
  empty: '_null',
  eq: '',
  in: '',
}

/** `endsOn_before` → `endsOn_lte`; undefined where no such ending is known, or the field does not take ours. */
function meantKey(fields: Fields, name: string): string | undefined {
  const [, path = '', ending = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  const field = fieldAt(fields, name) ? undefined : fieldAt(fields, path)
  const ours = Object.hasOwn(endings, ending) ? endings[ending] : undefined
  if (!field || ours === undefined) return undefined
  const key = `${path}${ours}`
  return operatorsOf(field).includes(splitKey(key).op) ? key : undefined
}

/** One condition of a list's address: its field, its operator, and its constants. */
export function checkCondition(report: Report, list: AnyResource, path: string, key: string, values: readonly unknown[]): void {
  const { field: name, op } = splitKey(key)
  const fields = allFields(list)
  const field = fieldAt(fields, name)
  const meant = meantKey(fields, name)
  if (meant)
    return report('unsuited-filter', path, `a filter has no ending "${name.slice(name.lastIndexOf('_'))}"`, {
      word: meant,
      among: [meant],
    })
  if (!field)
    return report('unknown-filter-field', path, `${list.name} has no field "${name}"`, { word: name, among: pathsIn(fields) })
  if (!operatorsOf(field).includes(op))
    return report('unsuited-filter', path, `"${name}" is ${withArticle(field.type)}, which cannot be filtered by "${op}"`, {
      word: '',
      among: operatorsOf(field),
    })
  const parts = values.filter((value) => typeof value !== 'string' || !value.includes('{'))
  if (op === 'null') {
    if (parts.some((value) => String(value) !== 'true' && String(value) !== 'false'))
      report('wrong-kind', path, '"null" is asked with true (empty) or false (filled)')
    return
  }
  for (const value of parts) checkConstant(report, path, asOne(field), typed(field, value))
}

/** One of several values is compared as one. */
export const asOne = (field: Field): Field => (field.type === 'tags' || field.type === 'references' ? oneOf(field) : field)
const oneOf = (field: Field): Field =>
  field.type === 'tags' && field.options
    ? { type: 'enum', label: field.label, options: field.options }
    : { type: 'text', label: field.label }

/** Values of an address are texts: those of numbers and booleans are read. */
function typed(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (kindOf(field) === 'number' && value !== '' && Number.isFinite(Number(value))) return Number(value)
  if (kindOf(field) === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** A day or moment by its distance from now that is not written as one. */
const looksRelative = (value: unknown) => /^\$(today|now)[^.]/.test(String(value))

/** A value of a time that the filter does not read; true where it was reported. */
function checkTime(report: Report, path: string, value: unknown, asked: 'days' | 'moments'): boolean {
  const isNow = asked === 'days' && /^\$now/.test(String(value))
  if (looksRelative(value) || isNow)
    report(
      'wrong-kind',
      path,
      isNow
        ? `the address of a view names days, like "$today" or "$today+30d", and not "${String(value)}"`
        : `"${String(value)}" is no distance: write it in days, like "$today+90d" or "$today-7d"`,
    )
  else if (String(value).startsWith('$') && String(value) !== '$today' && String(value) !== '$now')
    report('wrong-kind', path, `the filter of a time names a day, like "$today" or "$today+30d", and not "${String(value)}"`)
  else return false
  return true
}

/** Filters of a saved view, a figure or a count, as the list reads them. A view stands in an address, which names days. */
export function checkFilters(
  report: Report,
  list: AnyResource,
  path: string,
  filters: ListFilters,
  asked: 'days' | 'moments' = 'days',
): void {
  for (const [key, given] of Object.entries(filters)) {
    const at = `${path}.${key}`
    const field = fieldAt(allFields(list), splitKey(key).field)
    const isTime = field !== undefined && kindOf(field) === 'time'
    const filled = [given].flat().map((value: unknown) => {
      const isNow = asked === 'days' && String(value).startsWith('$now')
      return (isNow ? undefined : filterTime(list, key, value, new Date(0))) ?? value
    })
    const isTold = isTime && filled.some((value) => checkTime(report, at, value, asked))
    if (!isTold) checkCondition(report, list, at, key, filled)
  }
}
