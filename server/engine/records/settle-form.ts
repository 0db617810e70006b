import type { Fault } from '#schema/faults.ts'
import type { Fields } from '#schema/field-types.ts'
import { closedFaults, settleConditions } from '#schema/form/conditions.ts'
import { type Checked, check, createSchema, editSchema } from '#schema/record-schema.ts'
import type { RuleContext } from '#schema/rule.ts'
import { storedValues, type Verb } from './form-values.ts'
import type { Row } from './resource-rules.ts'
import { settlePresets } from './settle-presets.ts'
import { withUnseen } from './visible-fields.ts'

export type Schema = (row: Row) => Checked

/** Schemas of some fields of a form; the version is that of the whole form. */
export const schemasOf: Record<Verb, (fields: Fields) => Schema> = {
  create: (fields) => {
    const schema = createSchema(fields)
    return (row) => check(schema, row)
  },
  edit: (fields) => {
    const schema = editSchema(fields)
    return (row) => check(schema, { version: 1, ...row })
  },
}

/** Values that are valid on their own, so that rules can be checked even when others are invalid. */
export function rightValues<T>(
  parts: Iterable<readonly [string, T]>,
  schemaOf: (name: string, part: T) => Schema,
  { sent, faulty }: { sent: Row; faulty: ReadonlySet<string> },
): Row {
  const right: Row = {}
  for (const [name, part] of parts) {
    if (faulty.has(name) || sent[name] === undefined) continue
    const result = schemaOf(name, part)({ [name]: sent[name] })
    if (result.ok) right[name] = result.value[name]
  }
  return right
}

/** `right`: valid values by themselves. */
type Filled = { verb: Verb; writable: Fields; right: Row; current: Row }

/**
 * The values of a form as they are to be stored, with what the caller is not shown, after conditions and computed defaults, and
 * the faults that these found.
 */
export function settleForm(
  fields: Fields,
  { verb, writable, right, current }: Filled,
  context: RuleContext,
): { values: Row; sent: ReadonlySet<string>; faults: Fault[] } {
  const sent = new Set(Object.keys(right))
  const stored = storedValues(writable, { sent: right, current, verb, presets: fields, context })
  const change = { current, values: withUnseen(fields, stored.values, current), sent }
  const settled = settleConditions(fields, change, context)
  const faults = [
    ...stored.faults,
    ...(verb === 'edit' ? closedFaults({ ...fields, ...writable }, change, context) : []),
    ...settled.faults,
  ]
  if (verb === 'edit') return { values: settled.values, sent, faults }
  const preset = settlePresets(fields, { values: settled.values, sent, writable, role: context.user.role })
  return { values: preset.values, sent, faults: [...faults, ...preset.faults] }
}
