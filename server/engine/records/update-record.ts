import { choiceLabel } from '#schema/facts/choices.ts'
import type { FieldOf, Fields } from '#schema/field-types.ts'
import { notGiven } from '#schema/form/given-choices.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { Problem, problem } from '#server/base/problems.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { announceChange, answerRecord } from './answer-record.ts'
import { auditChange } from './audit-change.ts'
import { belongsTo, type Catalog, familyOf, rulesOf } from './catalog.ts'
import { checkBody } from './check-body.ts'
import { asProblem } from './database-problems.ts'
import { fieldsOfCall, realChange } from './form-values.ts'
import { asksFresh, freshCaller } from './fresh-confirmation.ts'
import { readFullRecord } from './reader.ts'
import type { Row, Work } from './resource-rules.ts'
import { type RowAccess, refuseClosed, requireAccess, usedAs } from './row-access.ts'
import { type Engine, ruleContext } from './work.ts'
import { lockRow, tableFields, updateRow } from './writer.ts'

/** Writable fields of a row: the role's, and own-record fields. */
function writableOf({ rules }: Catalog, { resources, own }: RowAccess, by: { role: Role; byServer: boolean }): Fields {
  const byRole = resources.map((resource) => fieldsOfCall(resource, 'edit', by))
  const ofOwn = own.map((resource) => {
    const names = rules[resource.name]?.own?.edit ?? []
    return Object.fromEntries(Object.entries(fieldsOfCall(resource, 'edit', by)).filter(([name]) => names.includes(name)))
  })
  return Object.assign({}, ...ofOwn, ...byRole)
}

type States = FieldOf<'status'>

/** Checks state transitions. Throws 409 with the allowed ones. */
export function refuseTransitions(fields: Fields, change: Row, current: Row): void {
  for (const [name, to] of Object.entries(change)) {
    const field = fields[name]
    const from = current[name]
    if (field?.type !== 'status' || typeof from !== 'string' || to === from) continue
    const allowed = field.states[from]?.next ?? []
    if (typeof to === 'string' && allowed.includes(to)) continue
    const labelOf = (field: States, state: unknown) => choiceLabel(field, String(state ?? '—'))
    const faults = [{ path: name, code: 'not-a-choice', label: field.label }]
    const allowedLabels = allowed.map((state) => labelOf(field, state))
    throw problem('transition', {
      allowed,
      allowedLabels,
      faults,
      values: { from: labelOf(field, from), to: labelOf(field, to) },
    })
  }
}

/** Refuses choices that the caller's role may not give. Server rules run before, with more specific problems. */
export const refuseChoices = (fields: Fields, change: Row, { caller }: Work): void =>
  refuseGiven(notGiven(fields, change, caller.role), fields)

/** Throws 403 for choices at these fields. */
export function refuseGiven(paths: readonly string[], fields: Fields): void {
  if (paths.length === 0) return
  throw problem('field-forbidden', {
    faults: paths.map((path) => ({ path, code: 'not-a-choice', ...(fields[path] ? { label: fields[path].label } : {}) })),
  })
}

/** An impossible step is reported before faults of the rest of its form, which need no mending then. */
export function refuseStepOf(body: unknown, writable: Fields, record: Row): void {
  const sent = isObject(body) && body.version === record.version ? body : {}
  const steps = Object.entries(sent).filter(([name, to]) => {
    const field = Object.hasOwn(writable, name) ? writable[name] : undefined
    return field?.type === 'status' && isStored(field) && typeof to === 'string' && Object.hasOwn(field.states, to)
  })
  refuseTransitions(writable, Object.fromEntries(steps), record)
}

/** Optimistic lock: refuses a stale version; the problem contains the current row as the caller may see it. */
export function refuseStale(
  catalog: Catalog,
  { record, used, version }: { record: Row; used: readonly AnyResource[]; version: unknown },
  work: Work,
): void {
  if (version === undefined || version === null || version === record.version) return
  throw problem('stale-version', { current: answerRecord(catalog, { record, used }, work) })
}

type Saving = { resource: AnyResource; record: Row; change: Row; action: string; reason?: unknown }

/**
 * Stores a change of a locked row: version, author and time, audit entry, live event. Returns the updated row; an empty change
 * is a no-op.
 */
export async function saveChange(
  { catalog }: Engine,
  { resource, record, change, action, reason }: Saving,
  work: Work,
): Promise<Row> {
  const fields = tableFields(catalog, resource)
  const real = realChange(fields, change, record)
  if (Object.keys(real).length === 0) return record
  const id = String(record.id)
  const version = Number(record.version)
  try {
    const stamped = { ...real, updatedAt: work.now, updatedBy: work.caller.userId }
    const saved = await updateRow(work.db, catalog, { resource, id, version, change: stamped })
    if (!saved) throw problem('stale-version')
  } catch (error) {
    throw asProblem(error, familyOf(catalog, resource))
  }
  const after = (await readFullRecord(work.db, catalog, { resource, id, caller: work.caller })) ?? record
  await auditChange(work, {
    action,
    resource,
    fields,
    before: record,
    after: { ...real, ...after },
    reason,
  })
  announceChange(catalog, { resource, record: after, type: 'updated' }, work)
  return after
}

/** A call about one row: the definitions that share its path; the first one represents the table. */
export type RowCall = { resource: AnyResource; resources: readonly AnyResource[]; id: string }

/** The row of a path, locked until the end of the transaction. */
export async function lockedRow(
  { catalog }: Engine,
  { resource, id }: Pick<RowCall, 'resource' | 'id'>,
  work: Work,
): Promise<Row> {
  await lockRow(work.db, resource, id)
  const record = await readFullRecord(work.db, catalog, { resource, id, caller: work.caller })
  if (!record) throw problem('not-found')
  return record
}

/** Definitions that a row belongs to. */
export const kindsOf = (catalog: Catalog, resource: AnyResource, record: Row): readonly AnyResource[] =>
  familyOf(catalog, resource).filter((member) => belongsTo(member, record))

/** The change after `beforeUpdate` of all kinds of the record; a thrown problem refuses it. */
export async function prepareChange(
  catalog: Catalog,
  { kinds, change, record }: { kinds: readonly AnyResource[]; change: Row; record: Row },
  work: Work,
): Promise<Row> {
  if (Object.keys(change).length === 0) return change
  let next = change
  for (const { beforeUpdate } of rulesOf(catalog, kinds)) next = (await beforeUpdate?.(next, record, work)) ?? next
  return next
}

/** Runs the rules after a change and returns the resulting row. */
export async function settleChange(
  { catalog }: Engine,
  { resource, kinds, saved, record }: { resource: AnyResource; kinds: readonly AnyResource[]; saved: Row; record: Row },
  work: Work,
): Promise<Row> {
  const rules = saved === record ? [] : rulesOf(catalog, kinds).flatMap(({ afterUpdate }) => afterUpdate ?? [])
  for (const rule of rules) await rule(saved, record, work)
  return rules.length === 0
    ? saved
    : ((await readFullRecord(work.db, catalog, { resource, id: String(saved.id), caller: work.caller })) ?? saved)
}

/** Updates the fields in a PUT body. `byServer`: a rule or a handler asks for it, to which `readOnly` and every choice are open. */
export async function updateRecord(
  engine: Engine,
  call: RowCall & { body: unknown; byServer?: true },
  work: Work,
): Promise<Row> {
  const { catalog } = engine
  const { resource, resources, body, byServer = false } = call
  const record = await lockedRow(engine, call, work)
  const context = ruleContext(work.caller, work.now)
  const access = requireAccess(catalog, { resources, verb: 'edit', record, context })
  const kinds = kindsOf(catalog, resource, record)
  const writable = writableOf(catalog, access, { role: work.caller.role, byServer })
  const asking = { verb: 'edit', body, writable, resources: kinds, current: record } as const
  const { version, ...values } = await checkBody(catalog, asking, work).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'invalid') refuseStepOf(body, writable, record)
    throw error
  })
  refuseStale(catalog, { record, used: usedAs(access), version }, work)
  const fields = tableFields(catalog, resource)
  const asked = realChange(fields, values, record)
  if (asksFresh(fields, asked, record)) await freshCaller(engine, work)
  refuseTransitions(fields, asked, record)
  const change = await prepareChange(catalog, { kinds, change: asked, record }, work)
  refuseClosed(access.resources, { verb: 'edit', record, context, isOwn: access.isOwn })
  if (!byServer) refuseChoices(writable, asked, work)
  const saved = await saveChange(engine, { resource, record, change, action: 'update' }, work)
  const after = await settleChange(engine, { resource, kinds, saved, record }, work)
  return answerRecord(catalog, { record: after, used: usedAs(access) }, work)
}
