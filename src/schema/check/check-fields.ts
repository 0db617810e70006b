import { choicesIn } from '#schema/facts/choices.ts'
import { faultsOf, faultText } from '#schema/faults.ts'
import type { Field, FieldType } from '#schema/field-types.ts'
import { tones, traits } from '#schema/field-types.ts'
import { isComputed } from '#schema/form/presets.ts'
import { units } from '#schema/format/units.ts'
import { isObject } from '#schema/is-object.ts'
import { isMany, operatorsOf } from '#schema/list-query.ts'
import { roles } from '#schema/roles.ts'
import { factsOf, valueSchema } from '#schema/value-schema.ts'
import { checkAccept, checkFigures, checkGivenBy, checkMoney, checkScale, checkUnitField } from './check-facts.ts'
import { checkFlow, checkPartSections } from './check-outlook.ts'
import { checkPattern, checkWorded, type PatternScope } from './check-pattern.ts'
import { checkPartFacts, type PartScope } from './parts/check-part-facts.ts'
import { checkTakenNames } from './parts/check-taken-names.ts'
import { checkName } from './report/names.ts'
import { checkLabel, entriesOf, newCount, type Report, unknownKeys, unknownWords, withArticle } from './report/report.ts'
import { checkNestedLists } from './shape/nested-lists.ts'

const common = [
  'type',
  'label',
  'help',
  'none',
  'required',
  'unique',
  'immutable',
  'readOnly',
  'derived',
  'search',
  'detailOnly',
  'danger',
  'fresh',
  'sortOnly',
  'access',
  'when',
  'was',
  'convert',
  'backfill',
]
export const fieldTypes = Object.keys(traits)
/** A type that takes no default has one fault for it: that it has no such fact. */
const hasDefault = (type: FieldType): boolean => factsOf(type).includes('default')
const isFieldType = (type: unknown): type is FieldType => fieldTypes.some((name) => name === type)

function checkRange(report: Report, path: string, field: Readonly<Record<string, unknown>>): void {
  const pairs = [
    ['min', 'max'],
    ['minLength', 'maxLength'],
  ] as const
  for (const [low, high] of pairs) {
    const [a, b] = [field[low], field[high]]
    if (typeof a === 'number' && typeof b === 'number' && a > b)
      report('min-above-max', `${path}.${low}`, `${low} ${a} is above ${high} ${b}`)
  }
}

function checkUnit(report: Report, path: string, name: string, { unit, scale }: Readonly<Record<string, unknown>>): void {
  checkScale(report, `${path}.scale`, unit, scale)
  const known = Object.keys(units)
  const facts = entriesOf(units).find(([key]) => key === unit)?.[1]
  if (!isObject(facts))
    return report('unknown-unit', `${path}.unit`, `there is no unit "${String(unit)}"`, { word: String(unit), among: known })
  const endings = Array.isArray(facts.endings) ? facts.endings.map(String) : []
  if (!endings.some((ending) => name.endsWith(ending) || name === ending.toLowerCase())) {
    report(
      'unit-not-in-name',
      path,
      `the name says the unit: end "${name}" in ${endings.join(' or ')}, like "${name}${endings[0] ?? ''}"`,
    )
  }
}

function checkOptions(report: Report, path: string, options: unknown): void {
  const count = Array.isArray(options) ? options.length : entriesOf(options).length
  if (count === 0) return report('no-options', `${path}.options`, "name at least one option, like { NEW: ['New', '…'] }")
  if (!Array.isArray(options))
    for (const [key, label] of entriesOf(options)) checkLabel(report, `${path}.options.${key}`, label)
}

function checkNumbers(report: Report, path: string, options: unknown): void {
  const others = entriesOf(options).filter(([key]) => !Number.isSafeInteger(Number(key)))
  for (const [key] of others)
    report('not-a-number', `${path}.options.${key}`, `"${key}" is no whole number, and the options of an integer are`)
  if (others.length === 0) checkOptions(report, path, options)
}

function checkStates(report: Report, path: string, states: unknown): void {
  const names = entriesOf(states).map(([name]) => name)
  if (names.length === 0)
    return report(
      'no-options',
      `${path}.states`,
      "name at least one state, like { NEW: { tone: 'info', label: ['New', '…'] } }",
    )
  for (const [name, state] of entriesOf(states)) {
    const at = `${path}.states.${name}`
    if (!isObject(state)) return report('wrong-type', at, 'a state is { tone, label, next? }')
    unknownKeys(report, 'unknown-fact', at, state, ['tone', 'label', 'next'], 'a state')
    checkLabel(report, `${at}.label`, state.label)
    if (!tones.some((tone) => tone === state.tone)) {
      report('unknown-tone', `${at}.tone`, `there is no tone "${String(state.tone)}"`, {
        word: String(state.tone),
        among: tones,
      })
    }
    unknownWords(report, 'unknown-state', `${at}.next`, state.next, names, 'state')
  }
}

function checkDefault(report: Report, path: string, field: Field): void {
  if (!('default' in field) || field.default === undefined || isComputed(field.default)) return
  const result = valueSchema(field).safeParse(field.default, { reportInput: true })
  if (result.success) return
  const choices = choicesIn(field)
  const near = choices && { word: String(field.default), among: choices }
  const reasons = faultsOf(result.error).map((fault) => faultText(fault, 'en'))
  const why = near ? '' : `: ${reasons.join('; ')}`
  report('bad-default', `${path}.default`, `${JSON.stringify(field.default)} is no value of this ${field.type}${why}`, near)
}

/** Type-specific checks; types without a row have none. */
const perType: Partial<
  Record<
    FieldType,
    (report: Report, path: string, name: string, field: Readonly<Record<string, unknown>>, scope: FieldScope) => void
  >
> = {
  text: (report, path, _name, field, scope) => checkWorded(report, `${path}.worded`, field, scope),
  quantity: (report, path, name, field) => checkUnit(report, path, name, field),
  money: (report, path, _name, field) => checkMoney(report, path, field),
  integer: (report, path, _name, field) => field.options !== undefined && checkNumbers(report, path, field.options),
  enum: (report, path, _name, field) => {
    checkOptions(report, path, field.options)
    checkGivenBy(report, `${path}.givenBy`, field)
  },
  tags: (report, path, _name, field) => field.options !== undefined && checkOptions(report, path, field.options),
  status: (report, path, _name, field) => checkStates(report, path, field.states),
  reference: (report, path, _name, field, scope) => checkTarget(report, `${path}.to`, field.to, scope),
  references: (report, path, _name, field, scope) => checkTarget(report, `${path}.to`, field.to, scope),
  count: (report, path, _name, field, scope) => field.of !== undefined && checkTarget(report, `${path}.of`, field.of, scope),
  group: (report, path, _name, field, scope) => {
    checkParts(report, path, field, scope)
    const parts = [...String(field.line ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    if (!isObject(field.fields)) return
    unknownWords(report, 'unknown-field', `${path}.line`, parts, Object.keys(field.fields), 'field')
    if (field.sections !== undefined) checkPartSections(report, `${path}.sections`, field.sections, field.fields)
    if (field.flow !== undefined) checkFlow(report, `${path}.flow`, field.flow, field.fields)
  },
  list: (report, path, _name, field, scope) => {
    checkParts(report, path, field, { ...scope, isItem: true })
    checkNestedLists(report, path, field)
  },
  file: (report, path, _name, field) => checkAccept(report, path, field.accept),
  files: (report, path, _name, field) => checkAccept(report, path, field.accept),
}

/** Nested fields. File fields cannot be nested: their calls are addressed by a field of the record. */
function checkParts(report: Report, path: string, field: Readonly<Record<string, unknown>>, outer: FieldScope): void {
  const { fields, readOnly, derived } = field
  const scope = { ...outer, isClosed: outer.isClosed || readOnly === true || derived === true }
  checkFields(report, `${path}.fields`, fields, scope)
  checkPartFacts(report, `${path}.fields`, fields, { ...scope, place: scope.isItem ? 'list' : 'group' })
  for (const [name, field] of entriesOf(fields))
    if (isObject(field) && (field.type === 'file' || field.type === 'files'))
      report('nested-file', `${path}.fields.${name}`, 'a file stands in a field of the record, not inside of another field')
}

function checkTarget(report: Report, path: string, target: unknown, scope: FieldScope): void {
  if (!scope.resources.includes(String(target))) {
    report('unknown-resource', path, `there is no resource "${String(target)}"`, {
      word: String(target),
      among: scope.resources,
    })
  }
}

/** `isItem`: fields of a list's items, in which a part may have the name of a summary, which then is not embedded. */
export type FieldScope = { resources: readonly string[]; isItem?: true } & Partial<Omit<PartScope, 'place'>> & PatternScope

function checkField(report: Report, path: string, name: string, field: unknown, scope: FieldScope): void {
  checkName(report, path, name)
  if (!isObject(field)) return report('wrong-type', path, 'a field is { type, label, … }')
  checkLabel(report, `${path}.label`, field.label)
  for (const fact of ['help', 'none']) if (field[fact] !== undefined) checkLabel(report, `${path}.${fact}`, field[fact])
  const { type } = field
  if (!isFieldType(type))
    return report('unknown-field-type', `${path}.type`, `there is no field type "${String(type)}"`, {
      word: String(type),
      among: fieldTypes,
    })
  unknownKeys(report, 'unknown-fact', path, field, [...factsOf(type), ...common], `a field of type ${type}`)
  for (const side of ['read', 'write']) {
    unknownWords(
      report,
      'unknown-role',
      `${path}.access.${side}`,
      isObject(field.access) ? field.access[side] : undefined,
      roles,
      'role',
    )
  }
  const before = newCount(report)
  checkRange(before.report, path, field)
  checkPattern(before.report, path, field, scope)
  checkFigures(before.report, path, field)
  perType[type]?.(before.report, path, name, field, scope)
  if (before.count() === 0 && hasDefault(type)) checkDefault(report, path, field as Field)
  if ((field.required === true && field.readOnly === true) || (field.required && field.derived))
    report(
      'required-but-closed',
      path,
      `no form can fill it, and it is required; drop required, or ${field.derived ? 'derived' : 'readOnly'}`,
    )
  if (field.unique && (operatorsOf(field as Field).length === 0 || isMany(field as Field)))
    report('can-not-be-unique', path, `${withArticle(type)} cannot be unique; drop unique`)
}

export function checkFields(report: Report, path: string, fields: unknown, scope: FieldScope): void {
  if (!isObject(fields) || Object.keys(fields).length === 0)
    return report(
      'no-fields',
      path,
      "there must be at least one field, like { code: { type: 'code', label: ['Code', 'Код'] } }",
    )
  for (const [name, field] of Object.entries(fields)) {
    checkField(report, `${path}.${name}`, name, field, scope)
    checkTakenNames(report, path, { name, fields, isItem: scope.isItem === true })
    for (const fact of ['unitOf', 'currencyOf'] as const) {
      if (!isObject(field) || field[fact] === undefined) continue
      const word = String(field[fact])
      if (!Object.hasOwn(fields, word))
        report('unknown-field', `${path}.${name}.${fact}`, `there is no field "${word}"`, { word, among: Object.keys(fields) })
      else checkUnitField(report, `${path}.${name}.${fact}`, fact, fields[word])
    }
  }
}
