import { allFields, fieldAt, fieldOf } from '#schema/definition.ts'
import { type Comparison, type Field, type Fields, traitsOf } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { ruleOps, topOf } from '#schema/rule.ts'
import { asOne, checkConstant, checkTemplate, valueKindOf } from './check-values.ts'
import { checkLabel, type Report, withArticle } from './report/report.ts'

export const pathsIn = (fields: Fields, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    return field.type === 'group' && isObject(field.fields) ? [path, ...pathsIn(field.fields, `${path}.`)] : [path]
  })

/** All field paths of a definition, with parts of groups and system fields. */
export const allPaths = (resource: AnyResource): string[] => pathsIn(allFields(resource))

const form = 'a rule is { field, op, value } or { all | any | not }'

/** A rule, recursively: its form, its operators, the fields it reads and the values it compares them with. */
export function checkRule(
  report: Report,
  resource: AnyResource,
  path: string,
  rule: unknown,
  fields = allFields(resource),
): void {
  if (!isObject(rule)) return report('bad-rule', path, form)
  for (const word of ['all', 'any'] as const) {
    const parts = rule[word]
    if (parts === undefined) continue
    if (!Array.isArray(parts)) return report('bad-rule', `${path}.${word}`, 'expected a list of rules')
    if (parts.length === 0)
      return report(
        'empty-rule',
        `${path}.${word}`,
        `the list is empty, so the rule ${word === 'all' ? 'always' : 'never'} holds; write rules, or drop it`,
      )
    for (const [index, part] of parts.entries()) checkRule(report, resource, `${path}.${word}[${index}]`, part, fields)
    return
  }
  if (rule.not !== undefined) return checkRule(report, resource, `${path}.not`, rule.not, fields)
  if (typeof rule.field !== 'string' || rule.value === undefined) return report('bad-rule', path, form)
  const field = fieldAt(fields, rule.field)
  if (!field)
    report('unknown-rule-field', `${path}.field`, `there is no field "${rule.field}"`, {
      word: rule.field,
      among: pathsIn(fields),
    })
  const op = ruleOps.find((one) => one === rule.op)
  if (!op)
    report('unknown-operator', `${path}.op`, `there is no operator "${String(rule.op)}"`, {
      word: String(rule.op),
      among: ruleOps,
    })
  checkOperands(report, { path, op, value: rule.value, field, fields })
}

type Operands = { path: string; op: string | undefined; value: unknown; field: Field | undefined; fields: Fields }

const orders = ['gt', 'gte', 'lt', 'lte']

/** Operators in place of an unsuited one, by what a field compares; undefined where each suits. */
const suited: Readonly<Partial<Record<Comparison, string>>> = {
  boolean: 'ask for its values by "eq" or "ne"',
  choice: 'name its values by "eq" or "in"',
  reference: 'name its values by "eq" or "in"',
  references: 'ask for one that is among them by "eq" or "in", for none by "ne" or "nin"',
  tags: 'ask for one that is among them by "eq" or "in", for none by "ne" or "nin"',
  none: 'ask whether it is empty by "null", or name another field',
}

const isMany = (op: string) => op === 'in' || op === 'nin'
const manyWords = (op: string, value: unknown) =>
  isMany(op) ? `"${op}" takes a list: [${JSON.stringify(value)}]` : `"${op}" takes one value; name several by "in" or "nin"`

function checkOperands(report: Report, { path, op, value, field, fields }: Operands): void {
  if (op === 'null') {
    if (typeof value !== 'boolean') report('wrong-kind', `${path}.value`, '"null" is asked with true (empty) or false (filled)')
    return
  }
  if (op && isMany(op) !== Array.isArray(value)) return report('wrong-kind', `${path}.value`, manyWords(op, value))
  const compare = field && (valueKindOf(asOne(field)) === 'none' ? 'none' : traitsOf(field).compare)
  const instead = compare && suited[compare]
  if (field && op && instead && (compare === 'none' || orders.includes(op)))
    return report('unsuited-operator', `${path}.op`, `${withArticle(field.type)} cannot be compared by "${op}"; ${instead}`)
  if (Array.isArray(value) && value.length === 0)
    report('empty-rule', `${path}.value`, 'the list is empty, so the rule never changes its answer; write values')
  for (const one of [value].flat()) {
    checkOperand(report, `${path}.value`, one, field && asOne(field), fields)
    checkMoment(report, { path: `${path}.value`, op, value: one, field, fields })
  }
}

/** A day and a moment are never the same text, so one is never equal to the other. */
function checkMoment(report: Report, { path, op = '', value, field, fields }: Operands): void {
  if (!field || orders.includes(op)) return
  const text = String(value)
  const other = text.startsWith('$record.') ? fieldAt(fields, text.slice('$record.'.length))?.type : undefined
  const type = text === '$today' ? 'date' : text === '$now' ? 'dateTime' : other
  const isMixed = (type === 'date' && field.type === 'dateTime') || (type === 'dateTime' && field.type === 'date')
  if (isMixed)
    report(
      'never-equal',
      path,
      `${withArticle(field.type)} never equals "${text}", ${withArticle(type)}; ask by "gte" and "lt"`,
    )
}

function checkOperand(report: Report, path: string, value: unknown, field: Field | undefined, fields: Fields): void {
  if (typeof value !== 'string' || !value.startsWith('$')) {
    if (field) checkConstant(report, path, field, value)
    return
  }
  const other = value.startsWith('$record.') ? fieldAt(fields, value.slice('$record.'.length)) : undefined
  if (!other && !['$now', '$today', '$user.id', '$user.role'].includes(value))
    return report('unknown-value', path, `"${value}" stands for nothing`, {
      word: value,
      among: ['$now', '$today', '$user.id', '$user.role', ...pathsIn(fields).map((name) => `$record.${name}`)],
    })
  if (field) checkTemplate(report, path, field, value, other)
}

/** Rules over whole records, with the field that shows their message. */
export function checkRules(report: Report, resource: AnyResource): void {
  const all = `${resource.name}.rules`
  if (resource.rules === undefined) return
  if (!Array.isArray(resource.rules)) return report('wrong-type', all, 'rules are a list of { rule, at, message }')
  resource.rules.forEach(({ rule, at, message }, index) => {
    checkRule(report, resource, `${all}[${index}].rule`, rule)
    checkLabel(report, `${all}[${index}].message`, message)
    const top = fieldOf(resource, topOf(at))
    if (!top || (top.type === 'group' && !fieldOf(resource, at)))
      report('unknown-field', `${all}[${index}].at`, `there is no field "${at}"`, { word: at, among: allPaths(resource) })
  })
}
