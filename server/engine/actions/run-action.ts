import type { FastifyRequest } from 'fastify'
import { reasonField, rolesForAction } from '#schema/definition.ts'
import { constantsOf } from '#schema/facts/shared-calls.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { settleConditions } from '#schema/form/conditions.ts'
import { isObject } from '#schema/is-object.ts'
import { check, editSchema } from '#schema/record-schema.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import { invalid, problem } from '#server/base/problems.ts'
import type { Answer } from '#server/engine/http/idempotency.ts'
import { announceChange, answerRecord } from '#server/engine/records/answer-record.ts'
import { auditAction } from '#server/engine/records/audit-change.ts'
import { belongsTo, type Catalog } from '#server/engine/records/catalog.ts'
import { crossFieldFaults } from '#server/engine/records/check-body.ts'
import { ownValue, realChange } from '#server/engine/records/form-values.ts'
import { freshCaller } from '#server/engine/records/fresh-confirmation.ts'
import { readFullRecord } from '#server/engine/records/reader.ts'
import { misplacedFaults, referenceFaults } from '#server/engine/records/references/references.ts'
import type { AnsweringAction, Row, Work, WorkEntry } from '#server/engine/records/resource-rules.ts'
import { inScope, refuseUnpermitted } from '#server/engine/records/row-access.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import {
  kindsOf,
  lockedRow,
  prepareChange,
  refuseStale,
  refuseTransitions,
  saveChange,
  settleChange,
} from '#server/engine/records/update-record.ts'
import { withUnseen } from '#server/engine/records/visible-fields.ts'
import { type Engine, ruleContext } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { columnKindOf, isStored } from '#server/engine/sql/column-types.ts'
import {
  type Candidate,
  checkValues,
  isActionOfOthers,
  refuseChoicesOf,
  refuseClosedSettings,
  refuseNoChange,
  refuseUnmetCondition,
  refuseUnoffered,
  requestedAction,
  sentNames,
  sentValues,
  settings,
} from './action-values.ts'
import { possibleValues } from './possible-values.ts'

/** A call shared by one or several actions; without an id it is about the whole list. */
export type ActionRequest = { candidates: readonly Candidate[]; id: string | undefined; request: FastifyRequest }

type Answered = { made: string | undefined; makes: string | undefined; after: Row | undefined; resource: AnyResource }
type Doing = { candidate: Candidate; record: Row; values: Row; form: Fields }

type ActionRule = AnsweringAction

/** The handler from the rules and its kind of response; undefined when the definition alone decides. */
export function actionRule({ catalog }: Engine, { resource, name }: Candidate): ActionRule | undefined {
  const rule = catalog.rules[resource.name]?.actions?.[name] ?? catalog.rules[resource.subset?.of ?? '']?.actions?.[name]
  return typeof rule === 'function' ? { handler: rule, status: 200 } : rule
}

const named = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])))

/** Form values that are fields of the record, and `set`; an instant becomes a day for a date field. */
function changeOf({ candidate, record, values }: Doing, fields: Fields, work: Work): Row {
  const { action } = candidate
  const written = withUnseen(fields, named(values, Object.keys(action.form ?? {})), record)
  const sent = { ...written, ...named(values, Object.keys(constantsOf(action))) }
  const all = { ...sent, ...settings(action, { values, record, fields, context: ruleContext(work.caller, work.now) }) }
  const entries = Object.entries(all).flatMap(([name, value]) => {
    const field = fields[name]
    if (!field || Object.hasOwn(systemFields, name) || !isStored(field)) return []
    if (columnKindOf(field) === 'date' && typeof value === 'string') return [[name, value.slice(0, 10)]]
    return [[name, field.type === 'group' ? wholeGroup(field, value, record[name]) : value]]
  })
  return Object.fromEntries(entries)
}

/** Values of a form whose emptied groups keep the stored parts that the form does not ask of the caller. */
const withClosedParts = (fields: Fields, { form, values, record }: Doing): Row =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const [field, current] = [form[name], ownValue(fields[name], record[name])]
      if (value !== null || field?.type !== 'group' || !isObject(current)) return [name, value]
      const emptied = Object.fromEntries(Object.keys(field.fields).map((key) => [key, null]))
      const isLeft = Object.entries(current).some(([key, part]) => part !== null && !Object.hasOwn(emptied, key))
      return [name, isLeft ? emptied : null]
    }),
  )

/** A group completed with stored parts that the form lacks. */
function wholeGroup(field: Field, value: unknown, current: unknown): unknown {
  return isObject(value) && isObject(current) ? { ...Object(ownValue(field, current)), ...value } : value
}

function checkedChange(change: Row, fields: Fields): Row {
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => change[name] !== undefined))
  const result = check(editSchema(own), { ...change, version: 1 })
  if (!result.ok) throw invalid(showFaults(result.faults, own))
  const { version: _, ...values } = result.value
  return values
}

async function defaultEffect(engine: Engine, doing: Doing, work: Work): Promise<Row> {
  const { catalog } = engine
  const { candidate, record } = doing
  const { resource, name } = candidate
  const fields = tableFields(catalog, resource)
  refuseClosedSettings(candidate.action, fields, work)
  const kinds = kindsOf(catalog, resource, record)
  const values = checkedChange(changeOf({ ...doing, values: withClosedParts(fields, doing) }, fields, work), fields)
  const writtenNames = new Set(Object.keys(values))
  const settled = settleConditions(fields, { current: record, values, sent: writtenNames }, ruleContext(work.caller, work.now))
  const asked = realChange(fields, settled.values, record)
  refuseTransitions(fields, asked, record)
  const whole = { record: { ...record, ...asked }, faulty: new Set<string>(), touched: Object.keys(asked) }
  const changed = new Set(Object.keys(asked))
  const checked = { fields: doing.form, values: doing.values }
  const sent = sentNames(candidate.action, asked)
  const pointing = { fields, values: asked, record: whole.record, changed, sent, current: record, checked }
  const misplaced = await misplacedFaults(catalog, resource, pointing, work)
  const faults = [
    ...showFaults([...settled.faults, ...(await referenceFaults(catalog, pointing, work, misplaced))], fields),
    ...crossFieldFaults({ verb: 'edit', resources: kinds, writable: fields }, whole, work),
  ]
  if (faults.length > 0) throw invalid(faults)
  const change = await prepareChange(catalog, { kinds, change: asked, record }, work)
  const saved = await saveChange(
    engine,
    { resource, record, change, action: name, reason: doing.values[reasonField(candidate.action)] },
    work,
  )
  if (saved === record)
    await auditAction(work, {
      action: name,
      resource,
      does: candidate.action,
      before: record,
      after: record,
      values: doing.values,
    })
  return settleChange(engine, { resource, kinds, saved, record }, work)
}

/** A handler's own audit entry replaces the engine's. */
function watched(work: Work, noted: Set<string>): Work {
  const note = ({ action, entityId }: WorkEntry) => void noted.add(`${action} ${entityId}`)
  return {
    ...work,
    audit: (entry) => {
      note(entry)
      return work.audit(entry)
    },
    auditAll: (entries) => {
      entries.forEach(note)
      return work.auditAll(entries)
    },
  }
}

/** The response of an action: its record, or the record that it created. */
async function bodyOf(catalog: Catalog, { made, makes, after, resource }: Answered, work: Work): Promise<unknown> {
  const other = made === undefined ? undefined : catalog.definitions.get(makes ?? '')
  const record =
    other && made !== undefined
      ? await readFullRecord(work.db, catalog, { resource: other, id: made, caller: work.caller })
      : after
  return record ? answerRecord(catalog, { record, used: [other ?? resource] }, work) : null
}

async function handled(engine: Engine, rule: ActionRule, doing: Doing & { id: string }, work: Work): Promise<Answer> {
  const { catalog } = engine
  const { candidate, record, values, id } = doing
  const { resource, name, action } = candidate
  const noted = new Set<string>()
  const { body, made, unchanged } = (await rule.handler({ id, values, record, work: watched(work, noted) })) ?? {}
  if (unchanged) return { status: 200, body: answerRecord(catalog, { record, used: [resource] }, work) }
  const after = await readFullRecord(work.db, catalog, { resource, id, caller: work.caller })
  const audited = noted.has(`${name} ${id}`)
  if (!audited) await auditAction(work, { action: name, resource, does: action, before: record, after, values })
  // Announced even when the row is unchanged: its history has a new entry, and values derived from other rows may differ.
  announceChange(catalog, { resource, record: after ?? record, type: after ? 'updated' : 'deleted' }, work)
  const { status, makes } = rule
  if (status === 204) return { status }
  return { status, body: body ?? (await bodyOf(catalog, { made, makes, after, resource }, work)) }
}

async function onList(engine: Engine, { candidates, request }: ActionRequest, isShared: boolean, work: Work): Promise<Answer> {
  const sent = sentValues(request, candidates)
  const candidate = requestedAction(candidates, sent, { isShared })
  if (candidate.action.fresh) await freshCaller(engine, work)
  const { values, form, unoffered } = await checkValues(engine, { candidate, sent, record: undefined }, work)
  refuseChoicesOf(engine, { candidate, form, values, record: undefined }, work)
  const { resource, name, action } = candidate
  const noted = new Set<string>()
  const rule = actionRule(engine, candidate)
  const answer = await rule?.handler({ id: '', values, record: undefined, work: watched(work, noted) })
  refuseUnoffered(unoffered)
  if (noted.size === 0)
    await auditAction(work, { action: name, resource, does: action, before: undefined, after: undefined, values })
  return answer?.body === undefined ? { status: 204 } : { status: rule?.status ?? 200, body: answer.body }
}

const usable = (resource: AnyResource, record: Row, work: Work) =>
  belongsTo(resource, record) && inScope(resource, record, ruleContext(work.caller, work.now))

/**
 * Runs an action: checks role, row access, body, version and condition, then runs its handler or the effect of the definition.
 */
export async function runAction(engine: Engine, call: ActionRequest, work: Work): Promise<Answer> {
  const { id, request } = call
  const allowed = call.candidates.filter(({ resource, action }) => rolesForAction(resource, action).includes(work.caller.role))
  const [first] = allowed
  if (!first) throw problem('forbidden')
  const isShared = call.candidates.length > 1
  if (id === undefined) return onList(engine, { ...call, candidates: allowed }, isShared, work)
  const record = await lockedRow(engine, { resource: first.resource, id }, work)
  const fitting = allowed.filter(({ resource }) => usable(resource, record, work))
  if (fitting.length === 0) throw problem('not-found')
  const sent = sentValues(request, fitting)
  if (isActionOfOthers(call.candidates, fitting, sent)) throw problem('forbidden')
  const candidate = requestedAction(fitting, sent, { isShared })
  if (candidate.action.fresh) await freshCaller(engine, work)
  const rule = actionRule(engine, candidate)
  const asked = { candidate, sent, record, isHandled: rule !== undefined }
  const { values, form, version, unoffered } = await possibleValues(engine, asked, work)
  refuseStale(engine.catalog, { record, used: [candidate.resource], version }, work)
  refuseUnmetCondition(candidate, record, ruleContext(work.caller, work.now))
  refuseNoChange(candidate, record, values)
  const doing = { candidate, record, values, form, id }
  refuseChoicesOf(engine, doing, work)
  const permitting = [{ resource: candidate.resource, permit: candidate.action.permit }]
  if (rule) {
    const answer = await handled(engine, rule, doing, work)
    refuseUnpermitted(permitting, record)
    refuseUnoffered(unoffered)
    return answer
  }
  refuseUnoffered(unoffered)
  refuseUnpermitted(permitting, record)
  const after = await defaultEffect(engine, doing, work)
  return { status: 200, body: answerRecord(engine.catalog, { record: after, used: [candidate.resource] }, work) }
}
