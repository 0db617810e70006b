import { factNames } from '#schema/check/shape/shape.ts'
import { type Definitions, summaryOf } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import { type AnyResource, verbs } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { checkRule } from './check-rules.ts'
import type { KnownNames } from './report/known-names.ts'
import { checkLabel, entriesOf, type Report, unknownKeys, unknownWord, unknownWords, withArticle } from './report/report.ts'
import { ownCalls } from './use/check-calls.ts'

const keys = factNames('Resource')

export function checkPlain(report: Report, path: string, value: unknown): void {
  const plain =
    value === null || ['string', 'boolean'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value))
  if (plain) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkPlain(report, `${path}[${index}]`, item)
    return
  }
  if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [key, item] of Object.entries(value)) checkPlain(report, `${path}.${key}`, item)
    return
  }
  report(
    'not-plain-data',
    path,
    `a definition is plain data; here stands a ${typeof value === 'object' ? 'class instance' : typeof value}`,
  )
}

function checkIcon(report: Report, path: string, icon: unknown, { icons }: KnownNames): void {
  if (icon !== undefined && icons && !icons.includes(String(icon)))
    report('unknown-icon', path, `there is no icon "${String(icon)}"`, { word: String(icon), among: icons })
}

export function checkHead(report: Report, resource: AnyResource, known: KnownNames): void {
  const at = resource.name
  unknownKeys(report, 'unknown-key', at, resource, keys, 'a resource')
  checkLabel(report, `${at}.label.one`, isObject(resource.label) ? resource.label.one : undefined)
  checkLabel(report, `${at}.label.many`, isObject(resource.label) ? resource.label.many : undefined)
  checkIcon(report, `${at}.icon`, resource.icon, known)
  for (const [name, action] of entriesOf(resource.actions))
    checkIcon(report, `${at}.actions.${name}.icon`, isObject(action) ? action.icon : undefined, known)
  if (ownCalls.some((call) => call === resource.name))
    report('reserved-name', `${at}.name`, `"/api/${resource.name}" is a call of the server; call the resource otherwise`)
  else if (!resource.subset && known.serverTables?.includes(resource.name.replaceAll('-', '_')))
    report('reserved-name', `${at}.name`, `the server keeps a table "${resource.name}" of its own; call the resource otherwise`)
  unknownKeys(report, 'unknown-key', `${at}.access`, resource.access, verbs, 'access')
  for (const [verb, list] of entriesOf(resource.access))
    unknownWords(report, 'unknown-role', `${at}.access.${verb}`, list, roles, 'role')
  unknownKeys(report, 'unknown-key', `${at}.api`, resource.api, ['list', 'show', 'create', 'update', 'delete'], 'api')
}

export function checkScopes(report: Report, resource: AnyResource): void {
  for (const [role, rule] of entriesOf(resource.scope)) {
    unknownWord(report, 'unknown-role', `${resource.name}.scope.${role}`, role, roles, 'role')
    checkRule(report, resource, `${resource.name}.scope.${role}`, rule)
  }
  for (const [role, paths] of entriesOf(resource.unseen)) {
    const at = `${resource.name}.unseen`
    unknownWord(report, 'unknown-role', `${at}.${role}`, role, roles, 'role')
    unknownWords(report, 'unknown-unseen', `${at}.${role}`, paths, summaryOf(resource), 'field of the summary')
  }
}

export function checkSubset(report: Report, resource: AnyResource, all: Definitions): void {
  if (!resource.subset) return
  const path = `${resource.name}.subset`
  const base = all.get(resource.subset.of)
  if (!base || base.subset)
    return report('unknown-resource', `${path}.of`, `there is no resource "${resource.subset.of}"`, {
      word: resource.subset.of,
      among: [...all.keys()],
    })
  for (const name of Object.keys(resource.subset.where)) {
    if (!Object.hasOwn(base.fields, name))
      report('unknown-field', `${path}.where.${name}`, `${base.name} has no such field`, {
        word: name,
        among: Object.keys(base.fields),
      })
  }
  for (const [name, field] of Object.entries(resource.fields)) {
    const inBase = base.fields[name]
    if (inBase && inBase.type !== field.type)
      report(
        'subset-field-differs',
        `${resource.name}.fields.${name}.type`,
        `${base.name} has ${withArticle(inBase.type)} in the same column; say type: '${inBase.type}'`,
      )
  }
}
