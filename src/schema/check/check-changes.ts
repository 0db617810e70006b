import { conversionsOf, convertibleTypes, isOfFiles, needsTable } from '#schema/conversions.ts'
import { baseOf } from '#schema/definition.ts'
import { choiceLabels } from '#schema/facts/choice-labels.ts'
import { choicesIn } from '#schema/facts/choices.ts'
import { type Field, type Fields, traitsOf } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { entriesOf, type Report, unknownKeys, withArticle } from './report/report.ts'

type All = ReadonlyMap<string, AnyResource>

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

/** The field at a path: `office.pin` is a part of a group or a list. */
function fieldAt(fields: Fields, [name = '', ...rest]: readonly string[]): Field | undefined {
  const field = fields[name]
  if (!field || rest.length === 0) return field
  return 'fields' in field ? fieldAt(field.fields, rest) : undefined
}

/** Former names must not be current names, nor be claimed twice. */
function checkFormer(report: Report, path: string, was: unknown, present: readonly string[], claimed: Set<string>): void {
  for (const name of listed(was)) {
    const word = String(name)
    if (typeof name !== 'string' || !/^[a-z][A-Za-z0-9-]*$/.test(name))
      report('bad-former-name', path, `"${word}" was no name of a field or a resource`)
    else if (present.includes(name))
      report(
        'still-there',
        path,
        `"${name}" is a name of today, so nothing was called so before; names that change places take two plans: give each a new name, apply, then give it the name of the other`,
      )
    else if (claimed.has(name)) report('claimed-twice', path, `"${name}" became another one already`)
    claimed.add(word)
  }
}

const fits = (field: Field, value: unknown) => value === null || valueSchema(field).safeParse(value).success

function checkConversion(report: Report, path: string, field: Field): void {
  const { convert: facts, type } = field
  if (facts === undefined) return
  const at = `${path}.convert`
  if (!isObject(facts)) return report('wrong-type', at, 'a conversion is { from, values?, otherwise? }')
  unknownKeys(report, 'unknown-key', at, facts, ['from', 'values', 'otherwise'], 'a conversion')
  const from = String(facts.from)
  const near = { word: from, among: convertibleTypes }
  if (!convertibleTypes.some((type) => type === from))
    return report('unknown-conversion', `${at}.from`, `nothing is made of a "${from}"`, near)
  if (from === type)
    return report('unknown-conversion', `${at}.from`, `the field is ${withArticle(type)} already; drop convert`)
  const beside = isOfFiles(from) ? '; keep the old field as it is and take a new one beside it, filled by hand' : ''
  if (!conversionsOf(from).includes(type))
    return report(
      'unknown-conversion',
      `${at}.from`,
      `${withArticle(from)} becomes ${conversionsOf(from).join(', ')}, and no ${type}${beside}`,
    )
  if (needsTable(from, type) && entriesOf(facts.values).length === 0)
    report('conversion-without-values', at, `say in \`values\` which ${from} becomes which ${type}`)
  for (const [key, value] of entriesOf(facts.values))
    if (!fits(field, value))
      report('bad-conversion-value', `${at}.values.${key}`, `the field does not take ${JSON.stringify(value)}`)
  if (facts.otherwise !== undefined && !fits(field, facts.otherwise))
    report('bad-conversion-value', `${at}.otherwise`, `the field does not take ${JSON.stringify(facts.otherwise)}`)
}

function checkBackfill(report: Report, path: string, field: Field, fields: Fields): void {
  const { backfill, required, type } = field
  if (backfill === undefined) return
  const at = `${path}.backfill`
  if (!required) report('backfill-unneeded', at, 'only a required field has to be filled; drop backfill, or say required')
  if (typeof backfill !== 'string' || !backfill.startsWith('$')) {
    if (field.unique)
      report(
        'backfill-of-unique',
        at,
        `every record would get ${JSON.stringify(backfill)}, and only one may have it; drop unique, or fill it by '$record.…'`,
      )
    else if (!fits(field, backfill)) report('bad-backfill', at, `${JSON.stringify(backfill)} is no value of this ${type}`)
  } else if (backfill === '$now') {
    if (type !== 'date' && type !== 'dateTime') report('bad-backfill', at, `$now is no ${type}`)
  } else {
    const word = backfill.replace(/^\$record\./, '')
    const other = backfill.startsWith('$record.') ? fields[word] : undefined
    if (!other)
      report('bad-backfill', at, `"${backfill}" is neither $now nor a field of the record`, {
        word,
        among: Object.keys(fields),
      })
    else if (other.derived || traitsOf(other).column !== traitsOf(field).column)
      report('bad-backfill', at, `${withArticle(other.type)} is no ${type}; take a stored field of the same type`)
  }
}

/** Choices that have names; the numbers of an integer's options are none. */
const namedChoices = (field: Field): readonly string[] | undefined => (field.type === 'integer' ? undefined : choicesIn(field))

function checkChoices(report: Report, path: string, field: Field): void {
  if (!('choicesWere' in field || 'choicesGone' in field)) return
  const choices = namedChoices(field)
  if (!choices) return report('no-options', path, 'only named choices can be called otherwise or go')
  const isChoice = (at: string, word: string) =>
    choices.includes(word) || report('unknown-choice', at, `there is no choice "${word}"`, { word, among: choices })
  const claimed = new Set<string>()
  for (const [now, before] of entriesOf(field.choicesWere)) {
    isChoice(`${path}.choicesWere.${now}`, now)
    if (choices.includes(String(before)))
      report(
        'still-there',
        `${path}.choicesWere.${now}`,
        `"${String(before)}" is a choice of today; keys that change places take two plans: give each a new key, apply, then give it the key of the other`,
      )
    claimed.add(String(before))
  }
  for (const [before, now] of entriesOf(field.choicesGone)) {
    const at = `${path}.choicesGone.${before}`
    if (choices.includes(before)) report('still-there', at, `"${before}" is a choice of today`)
    else if (claimed.has(before)) report('claimed-twice', at, `"${before}" became another one already`)
    if (now !== null) isChoice(at, String(now))
    else if (field.required && field.type !== 'tags') report('bad-backfill', at, 'a required field needs one in its place')
  }
}

/** A unit that is called otherwise is not the one of today. */
function checkFormerUnit(report: Report, path: string, field: Field): void {
  if (!('unitWas' in field)) return
  const now = 'unit' in field ? field.unit : 'unitOf' in field ? field.unitOf : undefined
  for (const word of listed(field.unitWas)) {
    if (typeof word !== 'string') report('bad-former-name', `${path}.unitWas`, `"${String(word)}" was no unit`)
    else if (word === now) report('still-there', `${path}.unitWas`, `"${word}" is the unit of today`)
  }
}

/** A label that was wrong is not the one of today. */
function checkFormerLabels(report: Report, path: string, field: Field): void {
  if (!('labelsWere' in field)) return
  const labels = choiceLabels(field)
  for (const [choice, before] of entriesOf(field.labelsWere)) {
    const at = `${path}.labelsWere.${choice}`
    if (!labels.has(choice))
      report('unknown-choice', at, `there is no choice "${choice}"`, { word: choice, among: [...labels.keys()] })
    else if (listed(before).includes(labels.get(choice)))
      report('still-there', at, `"${String(labels.get(choice))}" is the label of today`)
  }
}

const facts = ['was', 'convert', 'backfill', 'choicesWere', 'choicesGone', 'labelsWere', 'unitWas']

/** A field and its parts, which follow the same rules. */
function checkField(report: Report, path: string, field: Field, record: Fields): void {
  checkConversion(report, path, field)
  checkBackfill(report, path, field, record)
  checkChoices(report, path, field)
  checkFormerUnit(report, path, field)
  checkFormerLabels(report, path, field)
  const parts = 'fields' in field ? field.fields : {}
  const claimed = new Set<string>()
  for (const [name, part] of Object.entries(parts)) {
    const at = `${path}.fields.${name}`
    checkFormer(report, `${at}.was`, part.was, Object.keys(parts), claimed)
    checkField(report, at, part, record)
  }
}

/** Form fields are not stored: former names, conversions and backfills do not apply. */
function checkNested(report: Report, path: string, fields: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    for (const fact of facts)
      if (Object.hasOwn(field, fact))
        report('no-change-here', `${path}.${name}.${fact}`, `a form keeps no values, so "${fact}" has no place here; drop it`)
    if ('fields' in field) checkNested(report, `${path}.${name}.fields`, field.fields)
  }
}

/** Facts about renamed, converted and removed data. */
export function checkChanges(report: Report, resource: AnyResource, all: All): void {
  const { name, fields } = resource
  const sharing = [...all.values()].filter((other) => baseOf(other) === baseOf(resource))
  const present = sharing.flatMap((other) => Object.keys(other.fields))
  const claimed = new Set<string>()
  for (const [key, field] of Object.entries(fields)) {
    const path = `${name}.fields.${key}`
    if (field.derived && field.was !== undefined)
      report('no-change-here', `${path}.was`, 'a derived field has no values of its own')
    else checkFormer(report, `${path}.was`, field.was, present, claimed)
    checkField(report, path, field, fields)
  }
  for (const [key, action] of Object.entries(resource.actions ?? {}))
    checkNested(report, `${name}.actions.${key}.form`, action.form ?? {})
  if (resource.gone !== undefined && !Array.isArray(resource.gone))
    return report('wrong-type', `${name}.gone`, 'expected a list of the names of fields')
  const isStored = (word: string) =>
    sharing.some((other) => {
      const field = fieldAt(other.fields, word.split('.'))
      return field && !field.derived
    })
  resource.gone?.forEach((word, index) => {
    if (isStored(word)) report('still-there', `${name}.gone[${index}]`, `"${word}" is a field of today`)
    else if (claimed.has(word)) report('claimed-twice', `${name}.gone[${index}]`, `"${word}" became another field`)
  })
}

/** Former names of all resources, and the names of removed ones. */
export function checkFormerResources(report: Report, all: All, goneResources: readonly string[]): void {
  const claimed = new Set<string>()
  for (const { name, was } of all.values()) checkFormer(report, `${name}.was`, was, [...all.keys()], claimed)
  goneResources.forEach((word, index) => {
    const at = `goneResources[${index}]`
    if (all.has(word)) report('still-there', at, `"${word}" is a resource of today`)
    else if (claimed.has(word)) report('claimed-twice', at, `"${word}" became another resource`)
  })
}
