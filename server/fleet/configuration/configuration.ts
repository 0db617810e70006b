import { sql } from 'kysely'
import { z } from 'zod'
import type { Definitions } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { fleetStaff } from '#schema/roles.ts'
import { type Problem, problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { ActionCheck, ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { idParams } from '#server/engine/routes/route-schemas.ts'
import { requireAssignment, type Writing, writeColumns } from '#server/fleet/shared/relations.ts'
import { unattached } from './board-limits.ts'
import { presetFor } from './chemistry-presets.ts'
import { siteOf } from './configuration-access.ts'
import { changedValues } from './configuration-changes.ts'
import { configurationStateOf, envelopeOf, usualVersions } from './configuration-envelope.ts'
import { changedDangers, configurationFaults, defaultConfiguration, type EssLimits, usualOf } from './configuration-rules.ts'
import { envelopeSchema } from './configuration-schema.ts'
import { confirmationFaults } from './typed-confirmation.ts'

const formOf = (definitions: Definitions): Fields => definitions.get('control-pcb')?.actions?.configure?.form ?? {}

/** Settings of a board, as the form of its configuration has them. */
export function fieldsOf(definitions: Definitions): Fields {
  const { desired } = formOf(definitions)
  return desired?.type === 'group' ? desired.fields : {}
}

/** A board without an ESS uses common limits. */
export const nowhere = async ({ db }: { db: Queryable }): Promise<EssLimits> => ({
  ...unattached,
  cells: (await presetFor(db, null)) ?? null,
})

const whole = (fields: Fields, given: Row): Row =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, given[name] ?? null]))

/** Creates version 1 of a board: its initial configuration. */
export async function firstConfiguration(record: Row, work: Work): Promise<void> {
  const usual = usualOf(await presetFor(work.db, null))
  const desired = JSON.stringify({ ...defaultConfiguration(fieldsOf(work.definitions)), ...usual })
  await sql`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt", "requestedBy")
    values (${record.id}, 1, ${desired}, ${work.now}, ${work.caller.userId})`.execute(work.db)
}

const wrongCode = ['This is not the code of this board', 'Это не код этой платы'] as const

/** The refusal of a caller who may not change these protective values. */
export function forbiddenDangers(group: string, names: readonly string[], fields: Fields): Problem {
  const faults = names.map((name) => {
    const field = fields[name]
    const fault = { path: `${group}.${name}`, code: 'read-only', params: { key: name } }
    return field ? { ...fault, label: field.label } : fault
  })
  return problem('field-forbidden', { faults })
}

/** Order of refusals: permission, then stale version, then faults. */
export const checkConfiguration: ActionCheck = async ({ id, values, record, work }) => {
  await requireAssignment(work, record?.essId)
  const form = formOf(work.definitions)
  const fields = fieldsOf(work.definitions)
  const current = await envelopeOf(id, { fields }, work)
  if (!current || !isObject(values.desired)) return []
  if (values.baseVersion !== undefined && values.baseVersion !== current.desiredVersion)
    throw problem('stale-version', { current })
  const given = values.desired
  const desired = whole(fields, given)
  const isLeftOut = (name: string) => fields[name]?.required === true && (given[name] ?? null) === null
  const dangers = changedDangers(current.desired, desired, fields).filter((name) => !isLeftOut(name))
  if (dangers.length > 0 && current.danger.refusal) throw forbiddenDangers('desired', dangers, fields)
  const limits = (await siteOf(record?.essId, work)) ?? (await nowhere(work))
  return [
    ...configurationFaults(desired, { limits, before: current.desired, now: work.now }, fields),
    ...confirmationFaults(values.confirmCode, {
      input: form.confirmCode,
      code: record?.code,
      dangers,
      fields,
      wrong: wrongCode,
    }),
  ]
}

type Latest = { version: number; desired: Row }

/** The newest version of a board, under the lock of its record. */
export const latestVersionOf = async (id: string, { db }: { db: Queryable }): Promise<Latest> =>
  (await rowOf(
    db,
    sql<Latest>`select "version"::int, "desired" from "configuration" where "controlPcbId" = ${id} order by "version" desc limit 1`,
  )) ?? { version: 0, desired: {} }

type NextVersion = { desired: Row; reason: unknown; action: string }

/** Writes the next version of a board and returns its number, with its entry in the audit log. */
export async function writeNextVersion(
  { id, record, work }: { id: string; record: Row | undefined; work: Writing },
  { desired, reason, action }: NextVersion,
): Promise<number> {
  const { version, desired: before } = await latestVersionOf(id, work)
  await sql`insert into "configuration" ("controlPcbId", "version", "desired", "reason", "requestedAt", "requestedBy")
    values (${id}, ${version + 1}, ${JSON.stringify(desired)}, ${reason ?? null}, ${work.now}, ${work.caller.userId})`.execute(
    work.db,
  )
  const changed = changedValues(before, desired)
  await work.audit({
    action,
    entityType: 'control-pcb',
    entityId: id,
    code: String(record?.code ?? ''),
    before: Object.fromEntries(changed.map((name) => [name, before[name] ?? null])),
    after: Object.fromEntries(changed.map((name) => [name, desired[name] ?? null])),
    ...(typeof reason === 'string' ? { reason } : {}),
  })
  await writeColumns(work, 'control_pcb', id, {})
  return version + 1
}

/** True when the board is to be sent these values: others than the desired ones, or the same after a refusal or a drift. */
async function isNews(id: string, desired: Row, work: Work): Promise<boolean> {
  const { desired: before } = await latestVersionOf(id, work)
  if (changedValues(before, desired).length > 0) return true
  const state = await configurationStateOf(id, work)
  return state === 'REJECTED' || state === 'DRIFTED'
}

export const configure: ActionHandler = async ({ id, values, record, work }) => {
  const desired = whole(fieldsOf(work.definitions), isObject(values.desired) ? values.desired : {})
  if (!(await isNews(id, desired, work))) return { unchanged: true }
  await writeNextVersion({ id, record, work }, { desired, reason: values.reason, action: 'configure' })
  return {}
}

const query = z.strictObject({
  versions: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(usualVersions)
    .meta({ description: 'How many versions of the history' }),
})

export const configurationRoutes: NonNullable<ResourceRules['routes']> = (api, { context, withoutTransaction, show }) => {
  const fields = fieldsOf(context.definitions)
  const schema = {
    summary: 'What a board is to run with and what it runs with, with the history of versions',
    tags: ['control-pcb'],
    params: idParams,
    querystring: query,
    response: { 200: envelopeSchema(fields) },
  }
  const config = { access: fleetStaff }
  api.get('/control-pcb/:id/configuration', { schema, config, ...asAnswered }, async (request) => {
    const { id } = request.params
    await show(request, 'control-pcb', id)
    const { versions } = request.query
    const envelope = await withoutTransaction(request, (work) => envelopeOf(id, { fields, versions }, work))
    if (!envelope) throw problem('not-found')
    return envelope
  })
}
