import type { FastifyRequest } from 'fastify'
import { constantsOf } from '#schema/facts/shared-calls.ts'
import type { Fields } from '#schema/field-types.ts'
import { settleConditions } from '#schema/form/conditions.ts'
import { notGivenInForm } from '#schema/form/given-form.ts'
import { closedSettings, isClosed, isFormValue, openForm, subjectFields } from '#schema/form/open-form.ts'
import { withOwnRows } from '#schema/form/own-rows.ts'
import { unchangedFields } from '#schema/form/unchanged.ts'
import { unmetText } from '#schema/format/unmet-rule.ts'
import { valueFromText } from '#schema/list-query.ts'
import { actionSchema, check, ruleFaults } from '#schema/record-schema.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { holds, type RuleContext, resolveValue, valueAt } from '#schema/rule.ts'
import { invalid, problem, type ShownFault } from '#server/base/problems.ts'
import { claimFiles } from '#server/engine/files/claim-files.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import { bodyOf } from '#server/engine/records/check-body.ts'
import { storedValues } from '#server/engine/records/form-values.ts'
import { choiceFaults, lostFaults } from '#server/engine/records/references/references.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { nameOf } from '#server/engine/records/row-access.ts'
import { settlePresets } from '#server/engine/records/settle-presets.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { refuseGiven } from '#server/engine/records/update-record.ts'
import { type Engine, ruleContext } from '#server/engine/records/work.ts'

/** An action and its definition. */
export type Candidate = { resource: AnyResource; name: string; action: Action }

function fromQuery(form: Fields, query: Row): Row {
  return Object.fromEntries(
    Object.entries(query).map(([name, sent]) => {
      const field = Object.hasOwn(form, name) ? form[name] : undefined
      if (name === 'version' && typeof sent === 'string' && /^\d{1,9}$/.test(sent)) return [name, Number(sent)]
      return [name, field && typeof sent === 'string' ? (valueFromText(field, sent) ?? sent) : sent]
    }),
  )
}

/** Values of a request: the body, and for DELETE the query as well, since some proxies drop its body. */
export function sentValues(request: FastifyRequest, candidates: readonly Candidate[]): Row {
  const body = bodyOf(request.body)
  if (request.method !== 'DELETE') return body
  const form: Fields = Object.assign({}, ...candidates.map(({ action }) => action.form ?? {}))
  return { ...fromQuery(form, { ...Object(request.query) }), ...body }
}

/** True when the request matches an action of this call, but none that the caller may run. */
export const isActionOfOthers = (candidates: readonly Candidate[], own: readonly Candidate[], sent: Row): boolean =>
  !own.some((candidate) => agrees(sent, candidate, false)) && candidates.some((candidate) => agrees(sent, candidate, false))

const agrees = (sent: Row, { action }: Candidate, mustSay: boolean) =>
  Object.entries(constantsOf(action)).every(([name, value]) => (sent[name] === undefined ? !mustSay : sent[name] === value))

/**
 * The requested action: several may share the call and differ in the constants of their bodies. A shared call names them even
 * where its caller may run one of the actions only, so that one description of the body holds for everybody.
 */
export function requestedAction(candidates: readonly Candidate[], sent: Row, { isShared }: { isShared: boolean }): Candidate {
  const possible = candidates.filter((candidate) => agrees(sent, candidate, false))
  const count = ({ action }: Candidate) => Object.keys(constantsOf(action)).length
  // An action without constants says nothing that another one of the call does not.
  const [said] = possible.filter((candidate) => agrees(sent, candidate, true)).toSorted((a, b) => count(b) - count(a))
  const [only, other] = possible
  if (said) return said
  if (only && !other && !isShared) return only
  const names = [...new Set(candidates.flatMap(({ action }) => Object.keys(constantsOf(action))))]
  const choices = (name: string) => candidates.map(({ action }) => constantsOf(action)[name]).join(', ')
  throw invalid(names.map((path) => ({ path, code: 'not-a-choice', params: { choices: choices(path) } })))
}

/** A form as a resource, so that its conditions are checked by the same code. */
const formResource = ({ resource }: Candidate, fields: Fields): AnyResource => ({
  name: resource.name,
  label: resource.label,
  fields,
})

function refuseFields(closed: readonly string[], fields: Fields): void {
  const faults = showFaults(
    closed.map((path) => ({ path, code: 'read-only', params: { key: path } })),
    fields,
  )
  if (faults.length > 0) throw problem('field-forbidden', { faults })
}

/** Throws 403 for values of record fields that the caller may not write. */
const refuseClosed = (whole: Fields, open: Fields, sent: Row): void =>
  refuseFields(
    Object.keys(whole).filter((name) => !Object.hasOwn(open, name) && sent[name] !== undefined),
    whole,
  )

/** Throws 403 when the action itself writes a field that the caller may not write, and `writes` does not name it. */
export const refuseClosedSettings = (action: Action, fields: Fields, { caller }: Work): void =>
  refuseFields(closedSettings(action, fields, caller.role), fields)

/** Faults reported by server rules. */
async function ownFaults(
  { rules }: Catalog,
  { candidate, values, record }: { candidate: Candidate; values: Row; record: Row | undefined },
  work: Work,
): Promise<readonly ShownFault[]> {
  const find = rules[candidate.resource.name]?.checks?.[candidate.name]
  return (await find?.({ id: String(record?.id ?? ''), values, record, work })) ?? []
}

type Values = { values: Row; form: Fields; version: unknown; unoffered: readonly ShownFault[] }

/**
 * Validates a request against an action's form; throws 400 with all faults at once. `version` is returned separately, and so
 * are choices that are not offered: a handler may have a better explanation.
 */
export async function checkValues(
  { catalog }: Engine,
  { candidate, sent, record }: { candidate: Candidate; sent: Row; record: Row | undefined },
  work: Work,
): Promise<Values> {
  const { resource, action } = candidate
  const form = openForm(catalog.definitions, resource, action, work.caller.role)
  refuseClosed(action.form ?? {}, form, sent)
  const checked = check(actionSchema({ ...action, form }), { ...constantsOf(action), ...withOwnRows(form, sent) })
  const own = await ownFaults(catalog, { candidate, values: checked.ok ? checked.value : sent, record }, work)
  if (!checked.ok) {
    const faults = showFaults(checked.faults, form)
    throw invalid([...faults, ...own.filter(({ path }) => !faults.some((fault) => fault.path === path))])
  }
  const { version, ...given } = checked.value
  const context = ruleContext(work.caller, work.now)
  const stored = storedValues(form, { sent: given, current: {}, verb: 'create', presets: form, context })
  const current = record ?? {}
  const asked = { current, values: { ...given, ...stored.values }, sent: new Set(Object.keys(given)) }
  const settled = settleConditions(form, asked, context)
  const filled = { values: { ...given, ...settled.values }, sent: asked.sent, writable: form, role: work.caller.role }
  const preset = settlePresets(form, filled)
  const claimed = await claimFiles(resource, { fields: form, values: preset.values, current }, work)
  const { values } = claimed
  const conditions = ruleFaults(formResource(candidate, form), { ...record, ...values }, context)
  const names = new Set(Object.keys(given))
  const pointing = { fields: form, values, record: { ...current, ...values }, changed: names, sent: names, current }
  const misplaced = await choiceFaults(catalog, pointing, work)
  const lost = await lostFaults(catalog, pointing, misplaced, work)
  const found = [stored, settled, preset, claimed].flatMap((one) => one.faults)
  const faults = [...showFaults([...found, ...conditions, ...lost], form), ...own]
  if (faults.length > 0) throw invalid(faults)
  return { values, form, version, unoffered: showFaults(misplaced, form) }
}

/** Throws for choices that are not offered. */
export function refuseUnoffered(faults: readonly ShownFault[]): void {
  if (faults.length > 0) throw invalid(faults)
}

/** Throws when the record does not satisfy the action's condition, and says what it lacks. */
export function refuseUnmetCondition({ resource, action }: Candidate, record: Row, context: RuleContext): void {
  if (!action.when || holds(action.when, record, context)) return
  const possible = unmetText(action.when, { resource, record, context })
  throw problem('action.wrong-state', { values: { action: action.label, title: nameOf(resource, record), possible } })
}

/** Throws for a form that chooses what the record has already. */
export function refuseNoChange({ resource, action }: Candidate, record: Row, values: Row): void {
  const same = unchangedFields(action, record, values)
  if (same.length === 0) return
  const faults = same.map((path) => ({ path, code: 'changes-nothing' }))
  throw problem('action.changes-nothing', { faults, values: { action: action.label, title: nameOf(resource, record) } })
}

/** Throws 403 for choices in a form that the caller's role may not give. */
export function refuseChoicesOf(
  { catalog }: Engine,
  { candidate, form, values, record }: { candidate: Candidate; form: Fields; values: Row; record: Row | undefined },
  { caller: { role } }: Work,
): void {
  const { resource, action } = candidate
  const fields = subjectFields(catalog.definitions, resource, action)
  refuseGiven(notGivenInForm({ action, form, fields, role, stored: record }, values), form)
}

/** Names of changed fields whose value the caller sent; the definition gives the others by `set`. */
export const sentNames = ({ set = {} }: Action, change: Row): ReadonlySet<string> =>
  new Set(Object.keys(change).filter((name) => !Object.hasOwn(set, name) || isFormValue(set[name])))

type Setting = { values: Row; record: Row; fields: Fields; context: RuleContext }

/** Resolved values of `set`: constants, and templates over the form, the record, the caller and the clock. */
export function settings(action: Action, { values, record, fields, context }: Setting): Row {
  const open = Object.entries(action.set ?? {}).filter(
    ([name, value]) => !isFormValue(value) || !isClosed(action, fields, name, context.user.role),
  )
  return Object.fromEntries(
    open.map(([name, value]) => [
      name,
      isFormValue(value)
        ? (valueAt(values, String(value).slice('$form.'.length)) ?? null)
        : resolveValue(value, record, context),
    ]),
  )
}
