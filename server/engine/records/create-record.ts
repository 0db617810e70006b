import { uuidv7 } from 'uuidv7'
import { rolesFor } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { startFields } from '#schema/form/start-states.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { problem } from '#server/base/problems.ts'
import { announceChange, answerRecord } from './answer-record.ts'
import { auditChange } from './audit-change.ts'
import { type Catalog, familyOf, rulesOf } from './catalog.ts'
import { bodyOf, checkBody } from './check-body.ts'
import { asProblem } from './database-problems.ts'
import { fieldsOfCall } from './form-values.ts'
import { asksFresh, freshCaller } from './fresh-confirmation.ts'
import { readFullRecord } from './reader.ts'
import type { Row, Work } from './resource-rules.ts'
import { inScope } from './row-access.ts'
import { refuseChoices } from './update-record.ts'
import { type Engine, ruleContext } from './work.ts'
import { insertRow, tableFields } from './writer.ts'

type Plan = { resources: readonly AnyResource[]; usable: readonly AnyResource[]; writable: Fields; forced: Row }

/** `resources` share the path. `byServer`: a rule or a handler makes the record, to which `readOnly` and every choice are open. */
type Making = { resources: readonly AnyResource[]; body: unknown; byServer?: true }

const mergedFields = (resources: readonly AnyResource[], by: { role: Role; byServer: boolean }): Fields =>
  startFields(Object.assign({}, ...resources.map((resource) => fieldsOfCall(resource, 'create', by))))

const carries = (body: Row, resource: AnyResource) =>
  Object.entries(resource.subset?.where ?? {}).every(([name, value]) => body[name] === value)

/** Definitions of the new row, and the fields this caller may write. */
function planOf(catalog: Catalog, { resources, body, byServer }: Making & { body: Row }, { caller: { role } }: Work): Plan {
  const allowed = resources.filter((resource) => rolesFor(resource, 'create').includes(role))
  const [first] = allowed
  if (!first) throw problem('forbidden')
  const whole = allowed.find(({ subset }) => !subset)
  // A caller who may create one subset only gets that subset's values.
  const forced = whole ? {} : { ...(allowed.find((resource) => carries(body, resource)) ?? first).subset?.where }
  const row = { ...body, ...forced }
  const other = Object.keys(forced).filter((name) => body[name] !== undefined && body[name] !== forced[name])
  if (other.length > 0) throw problem('field-forbidden', { faults: other.map((path) => ({ path, code: 'read-only' })) })
  const fitting = familyOf(catalog, first).filter((resource) => carries(row, resource))
  const usable = allowed.filter((resource) => fitting.includes(resource))
  return { resources: fitting, usable, writable: mergedFields(usable, { role, byServer: byServer === true }), forced }
}

const without = (row: Row, names: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(names, name)))

async function prepared(catalog: Catalog, { resources }: Plan, values: Row, work: Work): Promise<Row> {
  let row = values
  for (const { beforeCreate } of rulesOf(catalog, resources)) row = (await beforeCreate?.(row, work)) ?? row
  return row
}

/** Values fixed by a subset are not chosen: a new client always has the role client. */
const chosen = ({ resources }: Plan, values: Row): Row =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !resources.some(({ subset }) => subset?.where[name] === value)),
  )

/** Creates a record and returns it as the caller may see it. */
export async function createRecord(engine: Engine, making: Making, work: Work): Promise<Row> {
  const { catalog } = engine
  const body = bodyOf(making.body)
  const plan = planOf(catalog, { ...making, body }, work)
  const [resource] = plan.resources
  if (!resource) throw problem('forbidden')
  const asked = {
    verb: 'create' as const,
    body: without(body, plan.forced),
    writable: plan.writable,
    resources: plan.resources,
    current: plan.forced,
  }
  const sent = await checkBody(catalog, asked, work)
  if (asksFresh(plan.writable, chosen(plan, sent))) await freshCaller(engine, work)
  const values = await prepared(catalog, plan, { ...sent, ...plan.forced }, work)
  if (!making.byServer) refuseChoices(plan.writable, sent, work)
  const id = uuidv7()
  const by = { createdAt: work.now, createdBy: work.caller.userId, updatedAt: work.now, updatedBy: work.caller.userId }
  try {
    await insertRow(work.db, catalog, resource, { ...values, id, version: 1, ...by })
  } catch (error) {
    throw asProblem(error, plan.resources)
  }
  const record = await madeRecord(engine, { resource, id, plan }, work)
  const context = ruleContext(work.caller, work.now)
  // Rows outside of the caller's own scope cannot be created.
  if (!plan.resources.some((one) => inScope(one, record, context))) throw problem('forbidden')
  await auditChange(work, {
    action: 'create',
    resource,
    fields: tableFields(catalog, resource),
    after: { ...values, ...record },
    reason: values[resource.checks?.override ?? ''],
  })
  announceChange(catalog, { resource, record, type: 'created' }, work)
  return answerRecord(catalog, { record, used: plan.usable }, work)
}

async function madeRecord(
  { catalog }: Engine,
  { resource, id, plan }: { resource: AnyResource; id: string; plan: Plan },
  work: Work,
): Promise<Row> {
  const made = await readFullRecord(work.db, catalog, { resource, id, caller: work.caller })
  if (!made) throw problem('not-found')
  const after = rulesOf(catalog, plan.resources).flatMap(({ afterCreate }) => afterCreate ?? [])
  for (const rule of after) await rule(made, work)
  return after.length === 0 ? made : ((await readFullRecord(work.db, catalog, { resource, id, caller: work.caller })) ?? made)
}
