import { isObject } from '#schema/is-object.ts'
import { checkActions, checkChecks, checkFormEnds, checkPermit, checkThrough } from './check/check-actions.ts'
import { checkChanges, checkFormerResources } from './check/check-changes.ts'
import { checkTerms, checkUnseenRoles } from './check/check-conditions.ts'
import { checkEffects, checkUnseen } from './check/check-effects.ts'
import { checkViews } from './check/check-facts.ts'
import { checkFields } from './check/check-fields.ts'
import { checkFigures } from './check/check-figures.ts'
import { checkHead, checkPlain, checkScopes, checkSubset } from './check/check-head.ts'
import { checkIneffective } from './check/check-ineffective.ts'
import { checkLayout } from './check/check-layout.ts'
import { checkLinks, checkMatches } from './check/check-links.ts'
import { checkMenu } from './check/check-menu.ts'
import { checkOutlook } from './check/check-outlook.ts'
import { checkUnique } from './check/check-presets.ts'
import { checkRules } from './check/check-rules.ts'
import { checkTabVerbs } from './check/check-tab-verbs.ts'
import { checkWhy } from './check/check-why.ts'
import { checkContradictions } from './check/never/check-contradictions.ts'
import { checkIds } from './check/never/check-ids.ts'
import { checkNames } from './check/never/check-names.ts'
import { checkRoles } from './check/never/check-roles.ts'
import { checkWrittenValues } from './check/never/check-set.ts'
import { checkWritten } from './check/never/check-written.ts'
import { checkDeletion } from './check/outcome/check-consequences.ts'
import { checkCurrencies } from './check/outcome/check-currencies.ts'
import { checkHidden } from './check/outcome/check-hidden.ts'
import { checkTexts } from './check/outcome/check-texts.ts'
import type { KnownNames } from './check/report/known-names.ts'
import { kebabOf } from './check/report/names.ts'
import { pruned } from './check/report/pruned.ts'
import { repairedVariants } from './check/report/repaired-variants.ts'
import { type DefinitionFault, entriesOf, newReport, type Report } from './check/report/report.ts'
import { reportDeviations, shapeDeviations } from './check/shape/check-shape.ts'
import { checkCalls } from './check/use/check-calls.ts'
import { checkPicks } from './check/use/check-picks.ts'
import { checkReach } from './check/use/check-reach.ts'
import { checkStarts } from './check/use/check-starts.ts'
import { checkZones } from './check/use/check-zones.ts'
import { ownAddresses } from './check/use/own-addresses.ts'
import { allFields, baseNameOf, type Definitions, routeOf } from './definition.ts'
import type { AnyResource } from './resource.ts'

/** Checks of single parts: the head, the fields, and the forms of actions. */
function checkParts(report: Report, resource: AnyResource, all: Definitions, known: KnownNames): void {
  const scope = { resources: [...all.keys()], ...(known.slowPattern ? { slowPattern: known.slowPattern } : {}) }
  checkHead(report, resource, known)
  const refersToItself = (name: string) => baseNameOf(all, name) === baseNameOf(all, resource.name)
  checkFields(report, `${resource.name}.fields`, resource.fields, { ...scope, refersToItself })
  for (const [name, action] of entriesOf(resource.actions)) {
    const path = `${resource.name}.actions.${name}`
    if (!isObject(action)) report('wrong-type', path, 'an action is { label, … }')
    else if (action.form !== undefined) checkFields(report, `${path}.form`, action.form, scope)
  }
}

type Check = (report: Report, resource: AnyResource, all: Definitions, known: KnownNames) => void

/** Checks of references to fields and to other definitions. */
const references: readonly Check[] = [
  checkSubset,
  checkUnique,
  checkCurrencies,
  (report, resource, all, known) => checkLayout(report, resource, { resources: all, widgets: known.widgets ?? [] }),
  checkFigures,
  checkMenu,
  checkActions,
  (report, resource) => checkPermit(report, resource, `${resource.name}.permit`, resource.permit),
  checkThrough,
  (report, { name, checks, fields }) =>
    checkChecks(report, `${name}.checks`, checks, { form: Object.keys(fields), record: [] }),
  checkOutlook,
  checkWhy,
  checkDeletion,
  checkFormEnds,
  checkScopes,
  checkRules,
  checkTerms,
  checkChanges,
  checkUnseenRoles,
  (report, resource, all) => checkLinks(report, `${resource.name}.fields`, resource.fields, allFields(resource), all),
  checkMatches,
  checkTabVerbs,
  checkViews,
  checkIneffective,
  checkTexts,
  checkHidden,
  checkUnseen,
  checkReach,
  checkPicks,
  checkCalls,
  checkStarts,
  checkZones,
  (report, resource, all, known) => checkEffects(report, resource, all, known.handlers),
  checkContradictions,
  checkIds,
  checkNames,
  checkRoles,
  (report, resource, _all, known) => checkWrittenValues(report, resource, known.handlers),
  checkWritten,
]

const keyOf = ({ code, path }: DefinitionFault) => `${code} ${path}`

type Sources = { known: KnownNames; errors: unknown[]; misshapen: readonly string[] }

/** Runs a check, and answers the exception with which it stopped. */
function stopOf(run: () => void): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

/**
 * Faults of one reading. A check that stops at a broken part reports nothing more of that definition. One that stops in a
 * sound definition met the broken part of another one, and runs again without that part. `errors` collects the exceptions.
 */
function faultsOfReading(all: Definitions, { known, errors, misshapen }: Sources): DefinitionFault[] {
  const { report, faults } = newReport()
  const isMisshapen = (name: string) => misshapen.some((path) => path.startsWith(`${name}.`))
  const others = pruned(all, misshapen)
  for (const resource of all.values())
    for (const check of references) {
      const first = stopOf(() => check(report, resource, all, known))
      if (first === undefined) continue
      if (isMisshapen(resource.name)) known.waits?.(resource.name)
      const last = isMisshapen(resource.name) ? first : stopOf(() => check(report, resource, others, known))
      if (last !== undefined) errors.push(last)
    }
  return faults.filter((fault, at) => faults.findIndex((one) => keyOf(one) === keyOf(fault)) === at)
}

type Found = Pick<ReturnType<typeof newReport>, 'faults' | 'slips'> & { misshapen: readonly string[] }

/** `readings`: the definitions as they may be meant; a fault is one in all of them. */
function checkReferences(readings: readonly Definitions[], known: KnownNames, parts: Found): DefinitionFault[] {
  const errors: unknown[] = []
  const sources = { known, errors, misshapen: parts.misshapen }
  const [first = [], ...others] = readings
    .flatMap((all) => repairedVariants(all, parts.faults, parts.slips))
    .map((one) => faultsOfReading(one, sources))
  const faults = first.filter((fault) => others.every((other) => other.some((one) => keyOf(one) === keyOf(fault))))
  if (errors.length > 0 && parts.misshapen.length === 0 && faults.length + parts.faults.length === 0) throw errors[0]
  const reported = new Set(parts.faults.map(keyOf))
  return faults.filter((fault) => !reported.has(keyOf(fault)))
}

const longestName = 50

/** Definitions with a unique name, and the second ones of a name that two have; the others are reported and left out. */
function namedOnes(report: Report, resources: readonly unknown[]) {
  const named = new Map<string, AnyResource>()
  const doubles = new Map<string, AnyResource>()
  for (const [index, resource] of resources.entries()) {
    const at = `resources[${index}]`
    if (!isObject(resource)) report('not-a-resource', at, 'this is no definition; write defineResource({ … })')
    else if (typeof resource.name !== 'string')
      report('missing-name', `${at}.name`, "a resource has a name, like 'service-visit'")
    else if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(resource.name))
      report(
        'bad-name',
        `${at}.name`,
        `"${resource.name}" is no name: a singular in small letters with hyphens, like "${kebabOf(resource.name)}"`,
      )
    else if (resource.name.length > longestName)
      report(
        'bad-name',
        `${at}.name`,
        `"${resource.name}" is too long for the name of a resource: ${resource.name.length} letters, and ${longestName} are possible`,
      )
    else if (named.has(resource.name)) {
      const [first, second] = [named.get(resource.name), resource].map((one) => JSON.stringify(Object(one?.label).one))
      report(
        'duplicate-name',
        `${at}.name`,
        `two definitions have the name "${resource.name}": that of ${first} and that of ${second}; call one of them otherwise`,
      )
      doubles.set(resource.name, resource as AnyResource)
    } else if (Object.hasOwn(Object.prototype, resource.name)) {
      // Nothing more is looked at by such a name: each object would answer to it.
      report('reserved-name', `${resource.name}.name`, `every object has a "${resource.name}"; call the resource otherwise`)
      continue
    }
    if (isObject(resource) && typeof resource.name === 'string' && !named.has(resource.name)) {
      checkPlain(report, resource.name, resource)
      named.set(resource.name, resource as AnyResource)
    }
  }
  return { named, doubles }
}

/** Every fault of every definition in one run; an empty list means that all are sound. */
export function checkResources(resources: readonly unknown[], known: KnownNames = {}): DefinitionFault[] {
  const found = newReport()
  const { report } = found
  const { named: all, doubles } = namedOnes(report, resources)
  const routes = new Map<string, string>()
  for (const resource of all.values()) {
    const route = routeOf(resource)
    const own = ownAddresses.some((address) => `${route}/`.startsWith(`${address}/`)) ? 'a page of the console' : undefined
    const owner = own ?? routes.get(route)
    if (owner !== undefined)
      report(
        'duplicate-route',
        `${resource.name}.${resource.route ? 'route' : 'name'}`,
        `the address "/${route}" belongs to ${owner}; say another \`route\``,
      )
    routes.set(route, `"${resource.name}"`)
    checkParts(report, resource, all, known)
  }
  const misshapen = shapeDeviations(all)
  // Of two definitions with one name it is unknown which is meant.
  const readings = doubles.size === 0 ? [all] : [all, new Map([...all, ...doubles])]
  for (const name of doubles.keys()) known.waits?.(name)
  const shaped = { ...found, misshapen: misshapen.map(({ path }) => path) }
  const faults = [...found.faults, ...checkReferences(readings, known, shaped)]
  const shapes = newReport()
  reportDeviations(shapes.report, misshapen, faults)
  const former = newReport()
  checkFormerResources(former.report, all, known.goneResources ?? [])
  const names = [...all.keys()]
  const placeOf = ({ path }: DefinitionFault) => names.indexOf(path.split('.')[0] ?? '')
  return [...faults, ...shapes.faults, ...former.faults].toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Source files by the names of their definitions. */
export type Files = Readonly<Record<string, string>>

/** The file of a definition's fault; undefined where nobody knows it, since a name does not tell it. */
export function fileOf({ path }: DefinitionFault, files: Files = {}): string | undefined {
  const [name = ''] = path.split('.')
  if (/^(resources|goneResources)\[/.test(path)) return 'resources/index.ts'
  return Object.hasOwn(files, name) ? files[name] : undefined
}

export function faultLine(fault: DefinitionFault, files?: Files): string {
  const file = fileOf(fault, files)
  return `${file ? `${file}: ` : ''}${fault.path}: ${fault.message} (${fault.code})`
}

/** Report text, the same in the terminal, at the server's start and in the browser. */
export function faultReport(faults: readonly DefinitionFault[], files?: Files): string {
  const lines = faults.map((fault) => faultLine(fault, files))
  return [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in the definitions`, ...lines].join('\n')
}
