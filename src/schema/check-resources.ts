import { isObject } from '#schema/is-object.ts'
import { checkActions, checkChecks, checkPermit, checkThrough } from './check/check-actions.ts'
import { checkChanges, checkFormerResources } from './check/check-changes.ts'
import { checkSight, checkTerms } from './check/check-conditions.ts'
import { checkEffects, checkUnseen, type Handlers } from './check/check-effects.ts'
import { checkViews, sameTexts } from './check/check-facts.ts'
import { checkFields } from './check/check-fields.ts'
import { checkFigures } from './check/check-figures.ts'
import { checkLayout } from './check/check-layout.ts'
import { checkLinks, checkMatches } from './check/check-links.ts'
import { checkUnique } from './check/check-presets.ts'
import { checkRule } from './check/check-rules.ts'
import {
  checkLabel,
  type DefinitionFault,
  entriesOf,
  newReport,
  type Report,
  unknownKeys,
  unknownWords,
} from './check/report.ts'
import { allFields, routeOf } from './definition.ts'
import { type AnyResource, verbs } from './resource.ts'
import { roles } from './roles.ts'

/**
 * Facts outside the definitions: widgets and icons of the console, handlers of the server, and what tells a pattern that
 * may take for ever. Without one of these its names are not checked.
 */
export type KnownNames = {
  widgets?: readonly string[]
  icons?: readonly string[]
  handlers?: Handlers
  isSafePattern?: (pattern: string) => boolean
}

const keys = [
  'name',
  'label',
  'fields',
  'route',
  'menu',
  'icon',
  'title',
  'summary',
  'live',
  'journal',
  'permit',
  'when',
  'subset',
  'list',
  'sections',
  'unique',
  'import',
  'head',
  'tabs',
  'actions',
  'figures',
  'access',
  'checks',
  'scope',
  'api',
  'rules',
  'was',
  'gone',
]
const taken = ['login', 'profile', 'about', 'support', 'filling', 'api', 'assets', 'invitation-complete', 'restore-password']
/** First segments of API paths that are no resource. */
const takenCalls = [
  'auth',
  'dashboard',
  'demo-fleet',
  'device',
  'docs',
  'health',
  'import',
  'ingest',
  'outbox',
  'ready',
  'telemetry',
]

function checkPlain(report: Report, path: string, value: unknown): void {
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

function checkHead(report: Report, resource: AnyResource, known: KnownNames): void {
  const at = resource.name
  unknownKeys(report, 'unknown-key', at, resource, keys, 'a resource')
  checkLabel(report, `${at}.label.one`, isObject(resource.label) ? resource.label.one : undefined)
  checkLabel(report, `${at}.label.many`, isObject(resource.label) ? resource.label.many : undefined)
  checkIcon(report, `${at}.icon`, resource.icon, known)
  for (const [name, action] of entriesOf(resource.actions))
    checkIcon(report, `${at}.actions.${name}.icon`, isObject(action) ? action.icon : undefined, known)
  if (takenCalls.includes(resource.name))
    report('reserved-name', `${at}.name`, `"/api/${resource.name}" is a call of the server`)
  unknownKeys(report, 'unknown-key', `${at}.access`, resource.access, verbs, 'access')
  for (const [verb, list] of entriesOf(resource.access))
    unknownWords(report, 'unknown-role', `${at}.access.${verb}`, list, roles, 'role')
  unknownKeys(report, 'unknown-key', `${at}.api`, resource.api, ['list', 'show', 'create', 'update', 'delete'], 'api')
}

function checkSubset(report: Report, resource: AnyResource, all: ReadonlyMap<string, AnyResource>): void {
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
    const twin = base.fields[name]
    if (twin && twin.type !== field.type)
      report(
        'subset-field-differs',
        `${resource.name}.fields.${name}.type`,
        `${base.name} says ${twin.type} for the same column`,
      )
  }
}

function checkOne(report: Report, resource: AnyResource, all: ReadonlyMap<string, AnyResource>, known: KnownNames): void {
  const scope = { resources: [...all.keys()], ...(known.isSafePattern ? { isSafePattern: known.isSafePattern } : {}) }
  checkHead(report, resource, known)
  checkFields(report, `${resource.name}.fields`, resource.fields, scope)
  if (!isObject(resource.fields) || Object.values(resource.fields).some((field) => !isObject(field))) return
  checkSubset(report, resource, all)
  checkUnique(report, resource)
  checkLayout(report, resource, { resources: all, widgets: known.widgets ?? [] })
  checkFigures(report, resource, all)
  checkActions(report, resource, scope)
  checkPermit(report, resource, `${resource.name}.permit`, resource.permit)
  checkThrough(report, resource, all)
  checkChecks(report, `${resource.name}.checks`, resource.checks, { form: Object.keys(resource.fields), record: [] })
  for (const [role, rule] of entriesOf(resource.scope)) {
    unknownWords(report, 'unknown-role', `${resource.name}.scope`, [role], roles, 'role')
    checkRule(report, resource, `${resource.name}.scope.${role}`, rule)
  }
  resource.rules?.forEach(({ rule, at, message }, index) => {
    const path = `${resource.name}.rules[${index}]`
    checkRule(report, resource, `${path}.rule`, rule)
    checkLabel(report, `${path}.message`, message)
    if (!Object.hasOwn(resource.fields, at.split('.')[0] ?? ''))
      report('unknown-field', `${path}.at`, `there is no field "${at}"`, { word: at, among: Object.keys(resource.fields) })
  })
}

/** Cross-checks of the parts of a definition, once the fields of all are sound. */
function checkMeaning(report: Report, resource: AnyResource, all: ReadonlyMap<string, AnyResource>, known: KnownNames): void {
  checkTerms(report, resource)
  checkChanges(report, resource, all)
  checkSight(report, resource, all)
  checkLinks(report, `${resource.name}.fields`, resource.fields, allFields(resource), all)
  checkMatches(report, resource, all)
  checkViews(report, resource)
  checkUnseen(report, resource)
  checkEffects(report, resource, all, known.handlers)
}

const isAboutFields = ({ path }: DefinitionFault) => /\.(fields|form|tabs|actions|sections|list)(\.|$)/.test(path)

/** The definitions that have a name of their own; the others are reported and left out. */
function namedOnes(report: Report, resources: readonly unknown[]): Map<string, AnyResource> {
  const named = new Map<string, AnyResource>()
  for (const [index, resource] of resources.entries()) {
    const at = `resources[${index}]`
    if (!isObject(resource)) report('not-a-resource', at, 'a definition is what defineResource gives')
    else if (typeof resource.name !== 'string') report('missing-name', `${at}.name`, 'a resource has a name')
    else if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(resource.name) || resource.name.length > 50) {
      report('bad-name', `${at}.name`, `"${resource.name}" is no singular kebab-case name`)
    } else if (named.has(resource.name))
      report('duplicate-name', `${at}.name`, `there already is a resource "${resource.name}"`)
    else {
      checkPlain(report, resource.name, resource)
      named.set(resource.name, resource as AnyResource)
    }
  }
  return named
}

/** Every fault of every definition in one run; an empty list means that all is sound. */
export function checkResources(resources: readonly unknown[], known: KnownNames = {}): DefinitionFault[] {
  const { report, faults } = newReport()
  const all = namedOnes(report, resources)
  const routes = new Set(taken)
  for (const resource of all.values()) {
    const route = routeOf(resource)
    if (routes.has(route))
      report('duplicate-route', `${resource.name}.${resource.route ? 'route' : 'name'}`, `the address "/${route}" is taken`)
    routes.add(route)
    checkOne(report, resource, all, known)
  }
  if (!faults.some(isAboutFields)) for (const resource of all.values()) checkMeaning(report, resource, all, known)
  checkFormerResources(report, all)
  return faults
}

/** Hints: labels that say the same in both languages may be meant, but are a slip more often. */
export const checkHints = (resources: readonly AnyResource[]): DefinitionFault[] =>
  resources
    .flatMap((resource) => sameTexts(resource, resource.name))
    .map((path) => ({
      code: 'same-text',
      path,
      message: 'both languages say the same; translate it, or mark it with a context: `Wi-Fi||name`',
    }))

/** The file of the faulty definition. */
export const fileOf = (fault: DefinitionFault): string =>
  fault.path.startsWith('resources[') ? 'resources/index.ts' : `resources/${fault.path.split('.')[0]}.ts`

export const faultLine = (fault: DefinitionFault): string => `${fileOf(fault)}: ${fault.path}: ${fault.message} (${fault.code})`

/** The text of a run, the same in the terminal, at the server's start and in the browser. */
export function faultReport(faults: readonly DefinitionFault[]): string {
  return [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in the definitions`, ...faults.map(faultLine)].join(
    '\n',
  )
}
