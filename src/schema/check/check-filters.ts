import { allFields, fieldAt } from '#schema/definition.ts'
import type { ListFilters } from '#schema/facts/figure-facts.ts'
import { filterTime } from '#schema/facts/relative-times.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { operatorsOf, splitKey } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { pathsIn } from './check-rules.ts'
import { asOne, checkConstant, valueKindOf } from './check-values.ts'
import { type Report, withArticle } from './report/report.ts'

/** Operator suffixes of other query languages and ours. */
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

/** `endsOn_before` → `endsOn_lte`; undefined for an unknown suffix, or one that the field does not support. */
function meantKey(fields: Fields, name: string): string | undefined {
  const [, path = '', ending = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  const field = fieldAt(fields, name) ? undefined : fieldAt(fields, path)
  const ours = Object.hasOwn(endings, ending) ? endings[ending] : undefined
  if (!field || ours === undefined) return undefined
  const key = `${path}${ours}`
  return operatorsOf(field).includes(splitKey(key).op) ? key : undefined
}

/** One filter of a query string: field, operator and constants. */
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

/** Query values are text; numbers and booleans are parsed. */
function typed(field: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (valueKindOf(field) === 'number' && value !== '' && Number.isFinite(Number(value))) return Number(value)
  if (valueKindOf(field) === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** True for a malformed relative time. */
const looksRelative = (value: unknown) => /^\$(today|now)[^.]/.test(String(value))

/** Reports a time value that the filter cannot parse; returns true when it did. */
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

/** Placeholders that are filled in at a field of texts: a view has a viewer, and a figure or count is the same for all. */
const filledBy: Readonly<Record<'days' | 'moments', { signs: readonly string[]; words: string }>> = {
  days: { signs: ['$user.id', '$user.role'], words: 'a view fills only "$user.id" and "$user.role" here' },
  moments: { signs: [], words: 'nothing is filled here, since a figure asks the same for everyone; name a value' },
}

/**
 * Checks filters of a saved view, figure or count as the list parses them. A view is part of the address, which names absolute
 * days.
 */
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
    const isTime = field !== undefined && valueKindOf(field) === 'time'
    const filled = [given].flat().map((value: unknown) => {
      const isNow = asked === 'days' && String(value).startsWith('$now')
      return (isNow ? undefined : filterTime(list, key, value, new Date(0))) ?? value
    })
    const isMoment = field?.type === 'dateTime' && ['eq', 'ne'].includes(splitKey(key).op)
    const day = isMoment ? [given].flat().find((value: unknown) => /^\$today/.test(String(value))) : undefined
    if (day !== undefined)
      report(
        'never-equal',
        at,
        `"${String(day)}" is the first moment of that day here, which hardly a record has; ask for the whole day by "${splitKey(key).field}_gte" and "${splitKey(key).field}_lte"`,
      )
    const text = [given].flat().find((value: unknown) => /\{[\w.]+\}/.test(String(value)))
    if (text !== undefined)
      report(
        'wrong-kind',
        at,
        `"${String(text)}" is looked for as it is written: nothing fills "{…}" here; name a value, "$user.id" in a view, or a time like "$today+30d"`,
      )
    const { signs, words } = filledBy[asked]
    const sign = [given].flat().find((value: unknown) => /^\$[a-z]/.test(String(value)) && !signs.includes(String(value)))
    const isUnfilled = !isTime && sign !== undefined && field !== undefined && valueKindOf(field) === 'text'
    if (isUnfilled) report('wrong-kind', at, `"${String(sign)}" is looked for as it is written: ${words}`)
    const isReported = isUnfilled || (isTime && filled.some((value) => checkTime(report, at, value, asked)))
    if (!isReported) checkCondition(report, list, at, key, filled)
  }
}
