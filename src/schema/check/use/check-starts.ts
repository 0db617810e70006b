import type { Report } from '#schema/check/report/report.ts'
import type { Field } from '#schema/field-types.ts'
import { isComputed, presetValues, sourcesOf } from '#schema/form/presets.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, holds, type RuleContext, valueAt } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'

const whole = ['integer', 'duration', 'bytes']

/** Facts of a field that contradict one another. */
function checkField(report: Report, path: string, field: Readonly<Record<string, unknown>>): void {
  const { type, unique, immutable, readOnly, groups } = field
  if (unique && field.default !== undefined && !isComputed(field.default))
    report(
      'default-of-unique',
      `${path}.default`,
      `every new record would begin with ${JSON.stringify(field.default)}, and only one may have it; drop the default, or unique`,
    )
  if (immutable && readOnly === true)
    report('fact-in-vain', `${path}.immutable`, 'it is readOnly, so no form sets it, on create neither; drop one of them')
  for (const bound of ['min', 'max'] as const)
    if (whole.includes(String(type)) && typeof field[bound] === 'number' && !Number.isInteger(field[bound]))
      report('absurd-fact', `${path}.${bound}`, `a value of type ${String(type)} is whole, and ${bound} is not`)
  if (isObject(groups) && isObject(groups.labels) && Object.keys(groups.labels).length === 0)
    report('no-options', `${path}.groups.labels`, "name at least one group, like { FREE: ['Free', '…'] }")
}

/** The values of their types with which a new record begins, when nobody fills in anything. */
function startOf({ fields }: AnyResource, context: RuleContext): Readonly<Record<string, unknown>> {
  const constants = Object.entries(fields).flatMap(([name, field]) =>
    'default' in field && !isComputed(field.default) && valueSchema(field).safeParse(field.default).success
      ? [[name, field.default]]
      : [],
  )
  const values = Object.fromEntries(constants)
  return { ...values, ...presetValues(fields, values, context) }
}

const isMadeOf = (field: Field | undefined) =>
  field !== undefined && 'default' in field && isComputed(field.default) && sourcesOf(field.default).length > 0

/** Defaults that a rule of the definition refuses together. */
function checkRules(report: Report, resource: AnyResource): void {
  const context: RuleContext = { user: { id: '-', role: 'admin' }, now: new Date().toISOString() }
  const start = startOf(resource, context)
  const { rules = [], name, fields } = resource
  for (const { rule, at } of Array.isArray(rules) ? rules : []) {
    const paths = [...new Set(fieldsOfRule(rule))]
    const isGiven = paths.every((path) => valueAt(start, path) !== undefined)
    if (!isGiven || holds(rule, start, context)) continue
    const own = [at, ...paths].find((path) => Object.hasOwn(start, path)) ?? at
    // A default made of another field is where people begin, and they change it.
    if (paths.some((path) => isMadeOf(fields[path]))) continue
    report(
      'bad-default',
      `${name}.fields.${own}.default`,
      `a new record would begin with ${paths.map((path) => `${path} = ${JSON.stringify(valueAt(start, path))}`).join(', ')}, which \`rules\` refuse`,
    )
  }
}

/** Facts and defaults with which no record, or only one, can begin. */
export function checkStarts(report: Report, resource: AnyResource): void {
  for (const [name, field] of Object.entries(resource.fields)) checkField(report, `${resource.name}.fields.${name}`, field)
  checkRules(report, resource)
}
