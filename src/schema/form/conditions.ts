import { isWritable } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { fieldsOfRule, holds, type Rule, type RuleContext } from '#schema/rule.ts'

type Row = Readonly<Record<string, unknown>>

const isSo = (fact: true | Rule | undefined, record: Row, context: RuleContext) =>
  fact === true || (fact !== undefined && holds(fact, record, context))

/** True for a field that has to have a value in this record. */
export const isRequired = (field: Field, record: Row, context: RuleContext): boolean =>
  isSo(field.required, record, context) && (!field.when || holds(field.when, record, context))

const isClosed = (field: Field, stored: Row | undefined, context: RuleContext) =>
  field.readOnly === true || (stored !== undefined && isSo(field.readOnly, stored, context))

const isRule = (fact: true | Rule | undefined) => fact !== undefined && fact !== true

/**
 * A field as it stands for a record: `required` by the values as they would be, `readOnly` by those that are stored, so that no
 * change opens what it closes. A new record has none of the latter.
 */
export function settledField(
  field: Field,
  { record, stored }: { record: Row; stored: Row | undefined },
  context: RuleContext,
): Field {
  if (!isRule(field.required) && !isRule(field.readOnly)) return field
  const { required: _required, readOnly: _readOnly, ...others } = field
  return {
    ...others,
    ...(isSo(field.required, record, context) ? { required: true } : {}),
    ...(isClosed(field, stored, context) ? { readOnly: true } : {}),
  }
}

/** Values that the caller changes though the record, as it is stored, closes their field. */
export function closedFaults(fields: Fields, { current, values, sent }: Change, context: RuleContext): Fault[] {
  const changed = [...sent].filter((name) => Object.hasOwn(values, name) && differs(values[name], current[name]))
  return changed.flatMap((name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isShut = field !== undefined && isRule(field.readOnly) && isClosed(field, current, context)
    return isShut ? [{ path: name, code: 'read-only-now' }] : []
  })
}

const isEmpty = (value: unknown) => value === null || value === undefined
const differs = (a: unknown, b: unknown) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)

/** True for a rule whose answer differs by caller or hour: what it hides from one is there for another. */
function isPassing(rule: Rule): boolean {
  if ('all' in rule) return rule.all.some(isPassing)
  if ('any' in rule) return rule.any.some(isPassing)
  if ('not' in rule) return isPassing(rule.not)
  const values: readonly unknown[] = Array.isArray(rule.value) ? rule.value : [rule.value]
  return values.some((value) => typeof value === 'string' && (value === '$now' || value.startsWith('$user.')))
}

const topOf = (path: string) => path.split('.')[0] ?? path

/** A record as it is and the values that are about to be written; `sent` names those of them that the caller gave. */
type Change = { current: Row; values: Row; sent: ReadonlySet<string> }

const isChanged = (settled: Row, current: Row, name: string) =>
  Object.hasOwn(settled, name) && differs(settled[name], current[name])

type Guarded = { name: string; field: Field; when: Rule }

const guardedOf = (fields: Fields): Guarded[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.when ? [{ name, field, when: field.when }] : []))

/** True for a stored value whose condition ends with this change, and not by the clock or by who asks. */
function isEnded({ name, field, when }: Guarded, settled: Row, current: Row): boolean {
  if (!isWritable(field, 'edit') || isPassing(when) || isEmpty(current[name])) return false
  return fieldsOfRule(when).some((path) => isChanged(settled, current, topOf(path)))
}

/**
 * Values of fields whose `when` does not hold. One that the caller gives is a fault; a default is left out; a stored one is
 * cleared once a value changes that its condition reads.
 */
export function settleConditions(
  fields: Fields,
  { current, values, sent }: Change,
  context: RuleContext,
): { values: Record<string, unknown>; faults: Fault[] } {
  const settled: Record<string, unknown> = { ...values }
  const faults: Fault[] = []
  const guarded = guardedOf(fields)
  // A cleared field may be what the condition of another one reads, so each of them gets its turn.
  for (const { name, field, when } of guarded.flatMap(() => guarded)) {
    if (holds(when, { ...current, ...settled }, context)) continue
    const isGiven = !isEmpty(settled[name])
    if (isGiven && sent.has(name) && differs(settled[name], current[name])) faults.push({ path: name, code: 'not-applicable' })
    if (isGiven) delete settled[name]
    // Written as empty also where nothing is stored: a column may have the default of its field.
    if ((isGiven && isEmpty(current[name])) || isEnded({ name, field, when }, settled, current)) settled[name] = null
  }
  return { values: settled, faults }
}
