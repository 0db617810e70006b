import { fieldAt, rolesForAction } from '#schema/definition.ts'
import { choicesIn } from '#schema/facts/choices.ts'
import type { FieldOf, Fields } from '#schema/field-types.ts'
import { isAlwaysRequired } from '#schema/form/conditions.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { holds, isTemplate, type Rule, type RuleContext } from '#schema/rule.ts'
import { checkRule } from './check-rules.ts'
import { entriesOf, newCount, type Report } from './report/report.ts'

export type Value = string | number | boolean | null
type Verdict = { canHold: boolean; canFail: boolean }

const open: Verdict = { canHold: true, canFail: true }
const anyone: RuleContext = { user: { id: '', role: 'admin' }, now: '' }

/** Possible outcomes of a rule when one field has this value and all others are unknown. */
export function verdictOf(rule: Rule, name: string, value: Value): Verdict {
  const each = (rules: readonly Rule[]) => rules.map((part) => verdictOf(part, name, value))
  if ('all' in rule) {
    const parts = each(rule.all)
    return { canHold: parts.every(({ canHold }) => canHold), canFail: parts.some(({ canFail }) => canFail) }
  }
  if ('any' in rule) {
    const parts = each(rule.any)
    return { canHold: parts.some(({ canHold }) => canHold), canFail: parts.every(({ canFail }) => canFail) }
  }
  if ('not' in rule) {
    const { canHold, canFail } = verdictOf(rule.not, name, value)
    return { canHold: canFail, canFail: canHold }
  }
  if (rule.field !== name || [rule.value].flat().some(isTemplate)) return open
  const isMet = holds({ ...rule, field: 'value' }, { value }, anyone)
  return { canHold: isMet, canFail: !isMet }
}

/** True when a condition can hold for a record whose field has the value. */
export const admits = (when: Rule | undefined, name: string, value: Value) => !when || verdictOf(when, name, value).canHold

/** True for a path that has a value in every record: each group on it and its last part are required and never hidden. */
export const isNeverEmpty = (fields: Fields, path: string): boolean =>
  path.split('.').every((_, index, names) => {
    const step = fieldAt(fields, names.slice(0, index + 1).join('.'))
    return step !== undefined && isAlwaysRequired(step)
  })

/** All values of the field at a path, if it is finite; the empty value is null. */
export function valuesAt(fields: Fields, path: string): Value[] | undefined {
  const field = fieldAt(fields, path)
  if (!field) return undefined
  const choices = field.type === 'tags' ? undefined : choicesIn(field)
  const named = field.type === 'boolean' ? [true, false] : field.type === 'integer' ? choices?.map(Number) : choices
  return named && [...named, ...(isNeverEmpty(fields, path) ? [] : [null])]
}

const quoted = (states: readonly string[]) => states.map((state) => `"${state}"`).join(', ')

/** Transition of an action that sets a state: the server rejects it unless `next` of the current state lists the target. */
function checkStep(report: Report, path: string, { when }: Action, name: string, field: FieldOf<'status'>, to: string): void {
  const states = Object.keys(field.states)
  const leads = (from: string) => field.states[from]?.next?.includes(to) ?? false
  const ways = states.filter(leads)
  const before = states.filter((state) => state !== to && admits(when, name, state))
  const wrong = before.filter((state) => !leads(state))
  const at = `${path}.set.${name}`
  const isEmptyFirst = !isAlwaysRequired(field) && field.default === undefined && admits(when, name, null)
  if (before.length === 0 && !isEmptyFirst)
    return report('no-step', at, `\`when\` admits records in "${to}" only, which are there already`)
  if (wrong.length === 0) return
  if (wrong.length === before.length && !isEmptyFirst) {
    const hint = ways.length > 0 ? `states that lead to "${to}": ${ways.join(', ')}` : `no state has "${to}" in \`next\``
    return report('never-possible', at, `none of the states that \`when\` admits leads to "${to}"; ${hint}`)
  }
  report(
    'no-step',
    at,
    `${quoted(wrong)} ${wrong.length === 1 ? 'does' : 'do'} not lead to "${to}", so the server refuses it there; states that do: ${ways.join(', ')}. Narrow \`when\` to them, or add "${to}" to \`next\``,
  )
}

/** Reports actions that no role may run or no record offers, and transitions that the status does not have. */
export function checkSteps(report: Report, resource: AnyResource, path: string, action: Action, isWritten: boolean): void {
  if (rolesForAction(resource, action).length === 0)
    report('never-possible', `${path}.roles`, 'no role may run it; name roles, or give access.edit some')
  const faulty = newCount(() => undefined)
  if (action.when) checkRule(faulty.report, resource, '', action.when)
  if (faulty.count() > 0) return
  if (!isWritten || action.on === 'list') return
  for (const [name, to] of entriesOf(action.set)) {
    const field = resource.fields[name]
    if (field?.type === 'status' && typeof to === 'string' && Object.hasOwn(field.states, to))
      checkStep(report, path, action, name, field, to)
  }
}
