import { baseOf, fieldOf } from '#schema/definition.ts'
import { type Field, tones, traitsOf } from '#schema/field-types.ts'
import { isComputed } from '#schema/form/presets.ts'
import { startsOf } from '#schema/form/start-states.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { topOf } from '#schema/rule.ts'
import { allPaths, checkRule } from './check-rules.ts'
import { checkConstant } from './check-values.ts'
import { entriesOf, type Report, unknownKeys, unknownWords, withArticle } from './report/report.ts'

type Definitions = ReadonlyMap<string, AnyResource>

/** A duplicate in a list is probably a typo for another word. */
function checkTwice(report: Report, path: string, words: unknown): void {
  if (!Array.isArray(words)) return
  for (const [index, word] of words.entries())
    if (typeof word === 'string' && words.indexOf(word) < index)
      report('said-twice', `${path}[${index}]`, `"${word}" stands twice in this list; drop one`)
}

function checkSteps(report: Report, path: string, field: Field): void {
  if (field.type !== 'status') return
  for (const [name, { next = [] }] of Object.entries(field.states)) {
    checkTwice(report, `${path}.states.${name}.next`, next)
    if (next.includes(name))
      report(
        'step-to-itself',
        `${path}.states.${name}.next[${next.indexOf(name)}]`,
        `a record in "${name}" is there already; drop it from its own next`,
      )
  }
  if (
    field.starts &&
    typeof field.default === 'string' &&
    !isComputed(field.default) &&
    !startsOf(field).includes(field.default)
  )
    report('bad-default', `${path}.default`, `no record starts in "${field.default}"; add it to starts`)
}

/** Facts of a field that another fact makes ineffective. */
function checkField(report: Report, resource: AnyResource, name: string, field: Field): void {
  const path = `${resource.name}.fields.${name}`
  unknownKeys(report, 'unknown-key', `${path}.access`, field.access, ['read', 'write'], 'the access of a field')
  for (const side of ['read', 'write'] as const) checkTwice(report, `${path}.access.${side}`, field.access?.[side])
  checkSteps(report, path, field)
  if ('options' in field && Array.isArray(field.options)) checkTwice(report, `${path}.options`, field.options)
  if (field.search && !traitsOf(field).search)
    report(
      'fact-in-vain',
      `${path}.search`,
      `${withArticle(field.type)} is not searched; name it in list.search, or drop search`,
    )
  if (field.fresh && (field.readOnly === true || field.derived))
    report('fact-in-vain', `${path}.fresh`, 'no form changes it, so nothing asks for a confirmation; drop fresh')
  if (field.type === 'reference' && field.circular && field.to !== baseOf(resource))
    report('fact-in-vain', `${path}.circular`, `only references to ${resource.name} itself can form a cycle; drop circular`)
}

function checkList(report: Report, resource: AnyResource): void {
  const { list, actions = {} } = resource
  if (!list) return
  const path = `${resource.name}.list`
  for (const part of ['columns', 'filters', 'search', 'bulk'] as const) checkTwice(report, `${path}.${part}`, list[part])
  for (const [index, word] of [list.columns ?? []].flat().entries())
    if (fieldOf(resource, topOf(String(word)))?.detailOnly)
      report('detail-only-column', `${path}.columns[${index}]`, `"${word}" is detailOnly: the rows of a list do not carry it`)
  const sizes = [10, 20, 25, 50, 100, 200]
  if (list.limit !== undefined && !sizes.includes(list.limit))
    report('absurd-fact', `${path}.limit`, `a page has ${sizes.join(', ')} rows, and not ${String(list.limit)}`)
  unknownKeys(report, 'unknown-tone', `${path}.tone`, list.tone, tones, 'a row')
  for (const [index, name] of (list.bulk ?? []).entries())
    if (actions[name]?.on === 'list')
      report('bulk-of-list', `${path}.bulk[${index}]`, `"${name}" is about the whole list; say on: 'bulk', or drop it here`)
}

/** The path of a list that a definition names, without its fixed query. */
const listOf = (part: unknown): string | undefined =>
  isObject(part) && typeof part.from === 'string' ? part.from.replace(/\?[^{}]*$/, '') : undefined

/** API paths: relative, and with an id where the call is about one record. */
function checkPaths(report: Report, resource: AnyResource): void {
  const { name, route } = resource
  if (route !== undefined && !/^[a-z][a-z0-9]*([-/][a-z0-9]+)*$/.test(route))
    report('bad-route', `${name}.route`, `"${route}" is no address; take small letters and hyphens, like "site-visits"`)
  const calls: [string, unknown][] = [
    ...entriesOf(resource.api).map(([verb, path]): [string, unknown] => [`api.${verb}`, path]),
    ...entriesOf(resource.actions).map(([key, action]): [string, unknown] => [
      `actions.${key}.from`,
      isObject(action) ? action.from : undefined,
    ]),
    ...entriesOf(resource.actions).map(([key, action]): [string, unknown] => [
      `actions.${key}.ends.from`,
      isObject(action) ? listOf(action.ends) : undefined,
    ]),
    ...entriesOf(resource.tabs).map(([key, tab]): [string, unknown] => [`tabs.${key}.from`, listOf(tab)]),
    ...entriesOf(resource.ends).map(([key, ends]): [string, unknown] => [`ends.${key}.from`, listOf(ends)]),
  ]
  for (const [place, path] of calls)
    if (typeof path === 'string' && !/^[a-z][a-z0-9-]*(\/([a-z0-9-]+|\{id\}))*$/.test(path))
      report(
        'bad-call',
        `${name}.${place}`,
        `"${path}" is no path: relative to /api, with no other placeholder than {id}, like 'ess/{id}/owner'`,
      )
}

/** Journals, subsets, and the rules for editable records. */
function checkWhole(report: Report, resource: AnyResource, all: Definitions): void {
  const { name, journal, subset, when } = resource
  for (const verb of ['edit', 'delete'] as const)
    if (when?.[verb]) checkRule(report, resource, `${name}.when.${verb}`, when[verb])
  unknownKeys(report, 'unknown-key', `${name}.when`, when, ['edit', 'delete'], 'when of a resource')
  const { columns, details, filters, ...parts } = journal ?? { columns: undefined, details: undefined, filters: undefined }
  const among = allPaths(resource)
  for (const [part, path] of Object.entries(parts))
    if (!among.includes(String(path)))
      report('unknown-field', `${name}.journal.${part}`, `there is no field "${String(path)}"`, { word: String(path), among })
  unknownWords(report, 'unknown-column', `${name}.journal.columns`, columns, among, 'field')
  unknownWords(report, 'unknown-field', `${name}.journal.filters`, filters, Object.keys(details ?? {}), 'entry of details')
  for (const [key, value] of Object.entries(subset?.where ?? {})) {
    const field = all.get(subset?.of ?? '')?.fields[key]
    if (field) checkConstant(report, `${name}.subset.where.${key}`, field, value)
  }
  for (const [verb, roles] of entriesOf(resource.access)) checkTwice(report, `${name}.access.${verb}`, roles)
  checkTwice(report, `${name}.summary`, resource.summary)
}

/** Facts that are well formed but have no effect. */
export function checkIneffective(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [name, field] of Object.entries(resource.fields)) checkField(report, resource, name, field)
  checkList(report, resource)
  checkPaths(report, resource)
  checkWhole(report, resource, all)
}
