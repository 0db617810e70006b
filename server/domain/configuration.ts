import { sql } from 'kysely'
import { z } from 'zod'
import type { Fields } from '#schema/field-types.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { invalid, problem } from '#server/problems.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/records/resource-rules.ts'
import { changedDangers, configurationFaults, defaultConfiguration, type EssLimits } from './configuration-rules.ts'
import { isAssigned, mustServe, touch } from './relations.ts'

/** State of a configuration: "c" is the wanted one, "s" what the board reported. Thresholds of warnings are the server's own. */
export const configurationState = sql<string>`case
  when "s"."rejectedVersion" = "c"."version" then 'REJECTED'
  when coalesce("s"."reportedVersion", 0) < "c"."version" then 'PENDING'
  when ("s"."reported" - 'warningOverrides') is distinct from ("c"."desired" - 'warningOverrides') then 'DRIFTED'
  else 'IN_SYNC' end`

export const latestConfiguration = sql`(select * from "configuration" where "controlPcbId" = "t"."id" order by "version" desc limit 1)`

/** The configuration of a board as both sides see it, with its history. */
async function envelopeOf(db: Queryable, id: string): Promise<Row | undefined> {
  const row = await rowOf(
    db,
    sql<Row>`select "c"."desired", "c"."version" as "desiredVersion", "c"."requestedBy", "c"."requestedAt", "s"."reported", "s"."reportedVersion",
      "s"."appliedAt", "s"."rejectReason", ${configurationState} as "state"
      from "control_pcb" "t" join lateral ${latestConfiguration} "c" on true left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
      where "t"."id" = ${id}`,
  )
  if (!row) return undefined
  const history = await rowsOf(
    db,
    sql<Row>`select "version", "desired", "reason", "requestedAt", "requestedBy" from "configuration" where "controlPcbId" = ${id} order by "version" desc limit 50`,
  )
  return {
    ...row,
    reported: row.reported ?? null,
    reportedVersion: row.reportedVersion ?? null,
    appliedAt: row.appliedAt ?? null,
    rejectReason: row.rejectReason ?? null,
    history,
  }
}

const noLimits: EssLimits = { chemistry: null, ratedChargePowerW: null, ratedDischargePowerW: null, gridConnectionLimitW: null }
type Site = EssLimits & { id: string; inMaintenance: boolean }
const siteOf = (essId: unknown, work: Work) =>
  rowOf(
    work.db,
    sql<Site>`select "id", "chemistry", "ratedChargePowerW", "ratedDischargePowerW", "gridConnectionLimitW",
      coalesce(("maintenance"->>'until')::timestamptz > ${work.now}, false) as "inMaintenance" from "ess" where "id" = ${essId ?? null}`,
  )

/** Dangerous values are an admin's, or an assigned engineer's while the ESS is under maintenance. */
async function mayChangeDangers(site: Site | undefined, work: Work): Promise<boolean> {
  if (work.caller.role === 'admin') return true
  if (work.caller.role !== 'service_engineer' || !site?.inMaintenance) return false
  return isAssigned(work.db, work.caller.userId, site.id, true)
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function formOf(work: Work): Fields {
  const form = work.definitions.get('control-pcb')?.actions?.configure?.form?.desired
  return form?.type === 'group' ? form.fields : {}
}

/** Writes version 1 of a board: what it runs with until somebody asks for more. */
export async function firstConfiguration(record: Row, work: Work): Promise<void> {
  await sql`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt", "requestedBy")
    values (${record.id}, 1, ${JSON.stringify(defaultConfiguration(formOf(work)))}, ${work.now}, ${work.caller.userId})`.execute(
    work.db,
  )
}

export const configure: ActionHandler = async ({ id, values, record, work }) => {
  await mustServe(work, record?.essId)
  const current = await envelopeOf(work.db, id)
  const fields = formOf(work)
  if (current && values.baseVersion !== current.desiredVersion) throw problem('stale-version', { current })
  const wanted = isRow(values.desired) ? values.desired : {}
  const desired = Object.fromEntries(Object.keys(fields).map((name) => [name, wanted[name] ?? null]))
  const site = await siteOf(record?.essId, work)
  const faults = configurationFaults(desired, site ?? noLimits, fields)
  if (faults.length > 0) throw invalid(faults)
  const before = isRow(current?.desired) ? current.desired : {}
  const dangers = changedDangers(before, desired)
  if (dangers.length > 0 && !(await mayChangeDangers(site, work))) {
    throw problem('field-forbidden', {
      faults: dangers.map((name) => ({
        path: `desired.${name}`,
        code: 'read-only',
        params: { key: name },
        ...(fields[name] ? { label: fields[name].label } : {}),
      })),
    })
  }
  const version = Number(current?.desiredVersion ?? 0) + 1
  await sql`insert into "configuration" ("controlPcbId", "version", "desired", "reason", "requestedAt", "requestedBy")
    values (${id}, ${version}, ${JSON.stringify(desired)}, ${values.reason ?? null}, ${work.now}, ${work.caller.userId})`.execute(
    work.db,
  )
  const changed = Object.keys(desired).filter((name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(desired[name]))
  await work.audit({
    action: 'configure',
    entityType: 'control-pcb',
    entityId: id,
    code: String(record?.code ?? ''),
    before: Object.fromEntries(changed.map((name) => [name, before[name] ?? null])),
    after: Object.fromEntries(changed.map((name) => [name, desired[name]])),
    ...(typeof values.reason === 'string' ? { reason: values.reason } : {}),
  })
  await touch(work, 'control_pcb', id, {})
}

const idParams = z.object({ id: z.string().min(1).max(64) })

export const configurationRoutes: NonNullable<ResourceRules['routes']> = (api, { run, show }) => {
  const config = { access: ['admin', 'moderator', 'service_engineer'] as const }
  api.get('/control-pcb/:id/configuration', { schema: { params: idParams }, config }, async (request) => {
    await show(request, 'control-pcb', request.params.id)
    const envelope = await run(request, ({ db }) => envelopeOf(db, request.params.id))
    if (!envelope) throw problem('not-found')
    return envelope
  })
}
