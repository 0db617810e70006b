import type { Field, Fields } from '#schema/field-types.ts'
import { constantDefault } from '#schema/form/presets.ts'
import { presentPath } from '#schema/former-names.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import { fieldsOfRule, holds, type Rule, type RuleContext, topOf } from '#schema/rule.ts'
import { say } from '#schema/words.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { type NoteCheck, whenKind, whenSecretKind } from './notes.ts'
import { appliedField } from './renames.ts'

const isNothing = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** A former condition under the present names of its fields. */
function presentRule(rule: Rule, fields: Fields): Rule {
  if ('all' in rule) return { all: rule.all.map((part) => presentRule(part, fields)) }
  if ('any' in rule) return { any: rule.any.map((part) => presentRule(part, fields)) }
  if ('not' in rule) return { not: presentRule(rule.not, fields) }
  return { ...rule, field: presentPath(fields, rule.field) }
}

const same = (one: Rule, other: Rule) => JSON.stringify(one) === JSON.stringify(other)

/** True for a condition that a row decides alone: not the caller, and no field that is computed on read. */
const isDecidable = (rule: Rule, { fields }: AnyResource) =>
  !JSON.stringify(rule).includes('"$user.') &&
  fieldsOfRule(rule).every((path) => {
    const field = { ...fields, ...systemFields }[topOf(path)]
    return field !== undefined && isStored(field)
  })

/** A row with the constant defaults of fields that are about to come. */
const withDefaults = (row: Row, fields: Fields): Row => ({
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, constantDefault(field) ?? null])),
  ...row,
})

const contextAt = (now: string): RuleContext => ({ user: { id: '', role: 'admin' }, now })

/** Secrets are reported under the former condition too: one that outlived it is on no page, and works again once it holds. */
function whenChecks(resource: AnyResource, name: string, before: Field, now: Field): NoteCheck[] {
  const { when } = now
  const stood = before.when && presentRule(before.when, resource.fields)
  const isSecret = now.type === 'secret'
  if (!when || (!isSecret && stood && same(stood, when)) || !isDecidable(when, resource)) return []
  const breaks = (row: Row, at: string) =>
    !isNothing(row[name]) && !holds(when, withDefaults(row, resource.fields), contextAt(at))
  const kind = isSecret ? whenSecretKind : whenKind
  return [{ resource, keys: [name], kind, what: 'hold a value where `when` does not hold', fits: () => true, breaks }]
}

function ruleChecks(resource: AnyResource, known: AnyResource): NoteCheck[] {
  const stood = (known.rules ?? []).map(({ rule }) => presentRule(rule, resource.fields))
  return (resource.rules ?? []).flatMap(({ rule, at, message }, index): NoteCheck[] => {
    if (stood.some((one) => same(one, rule)) || !isDecidable(rule, resource)) return []
    const breaks = (row: Row, now: string) => !holds(rule, withDefaults(row, resource.fields), contextAt(now))
    const what = `break the rule "${say(message, 'en')}"`
    return [{ resource, keys: at.split('.'), kind: `rule ${index + 1}`, what, fits: () => true, breaks }]
  })
}

/** Conditions of fields and of the record that are new since the last alignment. */
export function conditionNotes(resource: AnyResource, known: AnyResource | undefined): NoteCheck[] {
  if (!known) return []
  const fields = Object.entries(resource.fields).flatMap(([name, field]) => {
    const before = isStored(field) ? appliedField(known, name, field) : undefined
    return before ? whenChecks(resource, name, before, field) : []
  })
  return [...fields, ...ruleChecks(resource, known)]
}
