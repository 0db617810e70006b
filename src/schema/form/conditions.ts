import { isSetKey, isWritable } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { fieldsOfRule, holds, type Rule, type RuleContext, topOf } from '#schema/rule.ts'
import { isAbsent } from './is-empty.ts'

type Row = Readonly<Record<string, unknown>>

const isSo = (fact: true | Rule | undefined, record: Row, context: RuleContext) =>
  fact === true || (fact !== undefined && holds(fact, record, context))

/** True for a field that has a value in every record. */
export const isAlwaysRequired = (field: Field): boolean => field.required === true && !field.when

/** True when the field must have a value in this record. */
export const isRequired = (field: Field, record: Row, context: RuleContext): boolean =>
  isSo(field.required, record, context) && (!field.when || holds(field.when, record, context))

const isClosed = (field: Field, stored: Row | undefined, context: RuleContext) =>
  field.readOnly === true || (stored !== undefined && isSo(field.readOnly, stored, context))

const isRule = (fact: true | Rule | undefined) => fact !== undefined && fact !== true

/**
 * Resolves rule-valued facts for a record: `required` by the new values, `readOnly` by the stored ones, so that a change cannot
 * unlock a field for itself. New records are never `readOnly` by rule.
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

/** Faults of values sent for fields that the stored record makes read-only. */
export function closedFaults(fields: Fields, { current, values, sent }: Change, context: RuleContext): Fault[] {
  const changed = [...sent].filter((name) => Object.hasOwn(values, name) && differs(values[name], current[name]))
  return changed.flatMap((name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isShut = field !== undefined && isRule(field.readOnly) && isClosed(field, current, context)
    return isShut ? [{ path: name, code: 'read-only-now' }] : []
  })
}

/** A stored secret is not read: its record only says that there is one. */
const isHeld = (current: Row, name: string) => !isAbsent(current[name]) || current[isSetKey(name)] === true
const differs = (a: unknown, b: unknown) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)

/** True for a rule that depends on the caller or the time: hidden for one caller does not mean hidden for another. */
function isPassing(rule: Rule): boolean {
  if ('all' in rule) return rule.all.some(isPassing)
  if ('any' in rule) return rule.any.some(isPassing)
  if ('not' in rule) return isPassing(rule.not)
  const values: readonly unknown[] = Array.isArray(rule.value) ? rule.value : [rule.value]
  return values.some(
    (value) => typeof value === 'string' && (value === '$now' || value === '$today' || value.startsWith('$user.')),
  )
}

/** A stored record and the values about to be written; `sent` names those given by the caller. */
type Change = { current: Row; values: Row; sent: ReadonlySet<string> }

const isChanged = (settled: Row, current: Row, name: string) =>
  Object.hasOwn(settled, name) && differs(settled[name], current[name])

type Guarded = { name: string; field: Field; when: Rule }

const guardedOf = (fields: Fields): Guarded[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.when ? [{ name, field, when: field.when }] : []))

/** True when this change, and not the clock or the caller, makes the condition of a stored value false. */
function isEnded({ name, field, when }: Guarded, settled: Row, current: Row): boolean {
  if (!isWritable(field, 'edit') || isPassing(when) || !isHeld(current, name)) return false
  return fieldsOfRule(when).some((path) => isChanged(settled, current, topOf(path)))
}

/**
 * Handles values whose `when` does not hold: a sent one is a fault, a default is dropped, and a stored one is cleared when the
 * change affects its condition.
 */
export function settleConditions(
  fields: Fields,
  { current, values, sent }: Change,
  context: RuleContext,
): { values: Record<string, unknown>; faults: Fault[] } {
  const settled: Record<string, unknown> = { ...values }
  const faults: Fault[] = []
  const guarded = guardedOf(fields)
  // Clearing a field can end the condition of another one, so the pass is repeated once per field.
  for (const { name, field, when } of guarded.flatMap(() => guarded)) {
    if (holds(when, { ...current, ...settled }, context)) continue
    const isGiven = !isAbsent(settled[name])
    if (isGiven && sent.has(name) && differs(settled[name], current[name])) faults.push({ path: name, code: 'not-applicable' })
    if (isGiven) delete settled[name]
    // Written as null even when nothing is stored: the column may have the field's default.
    if ((isGiven && !isHeld(current, name)) || isEnded({ name, field, when }, settled, current)) settled[name] = null
  }
  return { values: settled, faults }
}
