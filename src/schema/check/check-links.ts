import { allFields, baseOf, fieldAt, isRelated, pathOf } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import { type Field, type Fields, traitsOf } from '#schema/field-types.ts'
import { listedBy, optionsOf, parentsOf } from '#schema/form/options.ts'
import { operatorsOf } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { topOf } from '#schema/rule.ts'
import { checkCondition } from './check-filters.ts'
import { checkRule, pathsIn } from './check-rules.ts'
import { areAlike, asOne, checkConstant, checkTemplate, kindWords, valueKindOf } from './check-values.ts'
import { cycleOf } from './report/dependency-cycle.ts'
import { type Report, withArticle } from './report/report.ts'
import { pointsElsewhere } from './use/check-pointer.ts'

type Definitions = ReadonlyMap<string, AnyResource>

/** Placeholders of options: single-value fields of this definition. */
function checkPlaceholders(report: Report, path: string, options: string, known: Fields): void {
  for (const parent of parentsOf(options)) {
    const other = parent === 'id' ? undefined : fieldAt(known, parent)
    if (parent !== 'id' && !other)
      report('unknown-placeholder', path, `"{${parent}}" is no field here`, {
        word: parent,
        among: [...new Set(['id', ...pathsIn(known)])],
      })
    else if (other && valueKindOf(other) === 'none')
      report('unsuited-placeholder', path, `"{${parent}}" is ${withArticle(other.type)}, which is ${kindWords(other)}`)
  }
}

/** Placeholders in a part of a field: its input knows the record's id, and no other value. */
function checkPartPlaceholders(report: Report, path: string, options: string): void {
  for (const parent of parentsOf(options))
    if (parent !== 'id')
      report(
        'unsuited-placeholder',
        path,
        `nothing fills "{${parent}}" in a part of a field; name a value, or make the reference a field of its own`,
      )
}

/** Options of a reference: a filtered list of its target, or a route of the server's rules, which is not checked here. */
function checkOptions(report: Report, path: string, field: Field, { all, known, isPart }: Linking): void {
  const options = optionsOf(field)
  if (options === undefined || !('to' in field)) return
  if (isPart) checkPartPlaceholders(report, path, options)
  else checkPlaceholders(report, path, options, known)
  const [head = '', query = ''] = options.split('?')
  const list = listedBy(all, options)
  const target = all.get(field.to)
  if (!list) {
    const among = [...all.values()].flatMap((one) => pathOf(one, 'list') ?? [])
    const isRoute = head.includes('/') && all.has(head.split('/')[0] ?? '')
    if (!isRoute) report('unknown-options', path, `there is no list "${head}"`, { word: head, among })
  } else if (target && baseOf(list) !== baseOf(target))
    report('unknown-options', path, `it points to ${target.name}, and "${head}" lists ${list.name}`, {
      word: '',
      among: [...all.values()].filter((one) => baseOf(one) === baseOf(target)).flatMap((one) => pathOf(one, 'list') ?? []),
    })
  else for (const [key, value] of new URLSearchParams(query)) checkCondition(report, list, path, key, [value])
}

function checkCount(report: Report, path: string, field: Field, all: Definitions): void {
  const target = field.type === 'count' ? all.get(field.of ?? '') : undefined
  if (field.type !== 'count' || !target) return
  const fields = allFields(target)
  if (field.by === undefined || !fieldAt(fields, field.by))
    report('unknown-field', `${path}.by`, `${target.name} has no field "${field.by ?? ''}" to count by`, {
      word: field.by ?? '',
      among: pathsIn(fields),
    })
  else if (!isReference(fieldAt(fields, field.by)))
    report('unknown-field', `${path}.by`, `"${field.by}" of ${target.name} refers to no record`, {
      word: '',
      among: pathsIn(fields).filter((name) => isReference(fieldAt(fields, name))),
    })
  if (field.where) checkRule(report, target, `${path}.where`, field.where, fields)
}

function checkFills(report: Report, path: string, field: Field, { all, known }: Linking): void {
  const target = field.type === 'reference' ? all.get(field.to) : undefined
  if (field.type !== 'reference' || !target) return
  for (const name of field.fills ?? []) {
    const [own, theirs] = [fieldAt(known, name), fieldAt(allFields(target), name)]
    if (!own || !theirs)
      report('unknown-field', `${path}.fills`, `${own ? target.name : 'this form'} has no field "${name}"`, {
        word: name,
        among: pathsIn(own ? target.fields : known),
      })
    else if (!areAlike(own, theirs))
      report('wrong-kind', `${path}.fills`, `"${name}" is ${withArticle(theirs.type)} there and ${withArticle(own.type)} here`)
  }
}

/** Circular dependencies between options: none of the fields could be picked first. */
function checkWaiting(report: Report, path: string, fields: Fields): void {
  const waitsFor = (name: string) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    return parentsOf((field && optionsOf(field)) ?? '').map(topOf)
  }
  for (const name of Object.keys(fields)) {
    const cycle = cycleOf(name, waitsFor)
    if (cycle)
      report(
        'circular-options',
        `${path}.${name}.options`,
        `its choices wait for a value that waits for this one, so that neither can be picked: ${cycle.join(' → ')}; drop the condition in one of them`,
      )
  }
}

/** Values are offered from a stored text of a resource, and only where words are free. */
function checkValuesOf(report: Report, path: string, field: Field, all: Definitions): void {
  if (field.type !== 'tags' || field.valuesOf === undefined) return
  const [name = '', ...rest] = field.valuesOf.split('.')
  const target = all.get(name)
  const fields: Fields = target?.fields ?? {}
  const texts = pathsIn(fields).filter((one) => {
    const found = fieldAt(fields, one)
    return found && traitsOf(found).compare === 'text' && !fields[topOf(one)]?.derived
  })
  if (!target) report('unknown-resource', path, `there is no resource "${name}"`, { word: name, among: [...all.keys()] })
  else if (!texts.includes(rest.join('.')))
    report('unknown-field', path, `${name} has no stored text "${rest.join('.')}"`, { word: rest.join('.'), among: texts })
  else if (field.options)
    report('fact-in-vain', path, 'the field has `options`, so that no other word can be chosen; drop one of them')
}

/** A default that is a whole other reference must point to the same table. */
function checkCopied(report: Report, path: string, field: Field, { known, all }: Linking): void {
  const [, name = ''] = /^\{([\w.]+)\}$/.exec('default' in field ? String(field.default) : '') ?? []
  // Its own id is no default at all, and is named as such.
  const other = name === '' || name === 'id' ? undefined : fieldAt(known, name)
  if (field.type === 'reference' && other && other.type !== 'reference')
    report('wrong-kind', path, `"{${name}}" is ${withArticle(other.type)}, and this is a reference to ${field.to}`)
  else if (field.type === 'reference' && other?.type === 'reference' && pointsElsewhere(field, other, all))
    report('wrong-kind', path, `"{${name}}" is a reference to ${other.to}, and this is one to ${field.to}`)
}

type Linking = { known: Fields; all: Definitions; isPart: boolean }

function checkFieldLinks(report: Report, path: string, fields: Fields, linking: Linking): void {
  for (const [name, field] of Object.entries(fields)) {
    checkOptions(report, `${path}.${name}.options`, field, linking)
    checkCount(report, `${path}.${name}`, field, linking.all)
    checkFills(report, `${path}.${name}`, field, linking)
    checkCopied(report, `${path}.${name}.default`, field, linking)
    checkValuesOf(report, `${path}.${name}.valuesOf`, field, linking.all)
    if (field.type === 'group' || field.type === 'list')
      checkFieldLinks(report, `${path}.${name}.fields`, field.fields, { ...linking, isPart: true })
  }
}

/** Checks options, counts and filled-in values against other resources. `known`: names allowed as placeholders. */
export function checkLinks(report: Report, path: string, fields: Fields, known: Fields, all: Definitions): void {
  checkWaiting(report, path, fields)
  checkFieldLinks(report, path, fields, { known, all, isPart: false })
}

/** Match of a related tab's rows with the record. */
function checkMatch(report: Report, resource: AnyResource, path: string, tab: Tab, target: AnyResource): void {
  const own = allFields(resource)
  if (!isRelated(tab)) return
  for (const [name, value] of Object.entries(tab.match ?? {})) {
    const at = `${path}.match.${name}`
    const field = fieldAt(allFields(target), name)
    if (!field) continue
    if (!operatorsOf(field).includes('eq')) report('unsuited-match', at, `${withArticle(field.type)} cannot be matched`)
    else if (typeof value !== 'string' || !value.startsWith('$')) checkConstant(report, at, asOne(field), value)
    else if (value.startsWith('$record.')) checkRecordMatch(report, at, { field, value, own })
    else if (value !== '$user.id' && value !== '$user.role') report('unknown-value', at, `"${value}" stands for nothing`)
  }
}

export function checkMatches(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [name, tab] of Object.entries(resource.tabs ?? {})) {
    const target = isRelated(tab) ? all.get(tab.resource) : undefined
    if (target) checkMatch(report, resource, `${resource.name}.tabs.${name}`, tab, target)
  }
}

function checkRecordMatch(report: Report, path: string, { field, value, own }: { field: Field; value: string; own: Fields }) {
  const other = fieldAt(own, value.slice('$record.'.length))
  if (!other)
    return report('unknown-value', path, `"${value}" stands for nothing`, {
      word: value,
      among: pathsIn(own).map((name) => `$record.${name}`),
    })
  if (valueKindOf(other) === 'none')
    return report('unsuited-match', path, `"${value}" is ${withArticle(other.type)}, which is ${kindWords(other)}`)
  checkTemplate(report, path, asOne(field), value, other)
}
