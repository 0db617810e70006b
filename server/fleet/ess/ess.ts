import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import { leaveSystem } from '#server/account/invitation.ts'
import type { Caller } from '#server/base/caller.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, Masks, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { isAssignedSql } from '#server/fleet/shared/assignment-sql.ts'
import { beforeHandover } from '#server/fleet/shared/ess-relations.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { deleteOf, requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { essBoardActions } from './ess-boards.ts'
import { essDerived } from './ess-derived.ts'
import { essPeopleActions } from './ess-people.ts'
import { essRoutes, outsidersOf } from './ess-routes.ts'
import { tellPeople } from './tell-people.ts'

const longestMaintenanceMs = 3 * dayMs

const boardsOf = async (id: unknown, work: Work) =>
  (await rowOf(work.db, sql<{ count: number }>`select count(*) as "count" from "control_pcb" where "essId" = ${id}`))?.count ??
  0

async function mustBeInstaller(installerId: unknown, work: Work): Promise<void> {
  if (!installerId) return
  const found = await rowOf(
    work.db,
    sql`select 1 from "user" where "id" = ${installerId} and "role" = 'installer' and "deletedAt" is null`,
  )
  if (!found) throw fleetProblem('ess.not-an-installer')
}

/** Conditions for entering a lifecycle state. */
const entry: Readonly<Record<string, (record: Row, work: Work) => Promise<void>>> = {
  IN_OPERATION: async (record, work) => {
    if (record.ownerId && (await boardsOf(record.id, work)) > 0) return
    throw fleetProblem('ess.not-ready')
  },
  DECOMMISSIONED: async (record, work) => {
    if ((await boardsOf(record.id, work)) === 0) return
    throw fleetProblem('ess.has-boards')
  },
}

const maintenance: ActionHandler = async ({ id, values, work }) => {
  await requireAssignment(work, id)
  const ahead = new Date(String(values.until)).getTime() - work.now.getTime()
  if (ahead <= 0 || ahead > longestMaintenanceMs) throw fleetProblem('ess.maintenance-time')
  if (!values.reason) throw fleetProblem('ess.maintenance-reason')
  return writeColumns(work, 'ess', id, {
    maintenance: { until: values.until, reason: values.reason, byId: work.caller.userId },
  })
}

const endMaintenance: ActionHandler = async ({ id, work }) => {
  await requireAssignment(work, id)
  await writeColumns(work, 'ess', id, { maintenance: null })
}

const editNotes: ActionHandler = async ({ id, values, work }) => {
  await requireAssignment(work, id)
  await writeColumns(work, 'ess', id, { notes: values.notes ?? null })
}

/** Masks expired maintenance. */
const endedMaintenance: Masks = {
  when: sql`("t"."maintenance"->>'until')::timestamptz <= now()`,
  values: { maintenance: sql`null::jsonb` },
}

/** The same mask for a record that was read in full. */
function withoutEndedMaintenance(record: Row, _caller: Caller, now: Date): Row {
  const { maintenance: current } = record
  const until = isObject(current) ? Reflect.get(current, 'until') : undefined
  return typeof until === 'string' && new Date(until) <= now ? { ...record, maintenance: null } : record
}

function zoneOf({ location }: Row): string | null {
  const zone = isObject(location) ? Reflect.get(location, 'timezone') : undefined
  return typeof zone === 'string' ? zone : null
}

/** The installer who may open the ESS. */
const installerOf = ({ installerId, lifecycle }: Row): string | undefined =>
  typeof installerId === 'string' && beforeHandover.includes(lifecycle) ? installerId : undefined

export const essRules: ResourceRules = {
  derived: essDerived,
  forCaller: isAssignedSql(sql`"t"."id"`),
  masks: () => endedMaintenance,
  recipients: outsidersOf,
  beforeCreate: async (values, work) => {
    await mustBeInstaller(values.installerId, work)
    await entry[String(values.lifecycle ?? '')]?.(values, work)
    return values
  },
  beforeUpdate: async (change, current, work) => {
    await mustBeInstaller(change.installerId, work)
    if (change.lifecycle !== undefined && change.lifecycle !== current.lifecycle) {
      await entry[String(change.lifecycle)]?.({ ...current, ...change }, work)
    }
    return change
  },
  afterUpdate: async (record, before, work) => {
    const [from, to] = [zoneOf(before), zoneOf(record)]
    if (from !== to) await telemetryStore.moveDays(work.db, { essId: String(record.id), from, to, now: work.now })
    await keepPlaces(work.db, { systems: [String(record.id)] })
    const former = installerOf(before)
    if (former && former !== installerOf(record))
      await tellPeople([{ essId: String(record.id), userId: former }], 'deleted', work)
  },
  beforeDelete: async (current, work) => {
    if ((await boardsOf(current.id, work)) > 0) throw fleetProblem('ess.has-boards')
    if (current.lifecycle !== 'PLANNED' && current.lifecycle !== 'DECOMMISSIONED') {
      throw fleetProblem('ess.not-deletable')
    }
    const essId = String(current.id)
    const people = await outsidersOf(work.db, [essId])
    await tellPeople(
      people.map(({ userId }) => ({ essId, userId })),
      'deleted',
      work,
    )
    await leaveSystem(essId, work)
    for (const table of ['guest', 'service_engineer']) await deleteOf(work, table, { essId })
    return 'delete'
  },
  present: withoutEndedMaintenance,
  actions: { ...essPeopleActions, ...essBoardActions, maintenance, 'end-maintenance': endMaintenance, 'edit-notes': editNotes },
  indexes: [
    `create unique index if not exists "control_pcb_main_uq" on "control_pcb" ("essId") where "role" = 'MAIN' and "essId" is not null`,
    `create unique index if not exists "guest_live_uq" on "guest" ("essId", "userId") where "state" in ('INVITED', 'ACTIVE')`,
    `create index if not exists "guest_expiresAt_ix" on "guest" ("expiresAt") where "state" = 'ACTIVE' and "expiresAt" is not null`,
    `create unique index if not exists "service_engineer_live_uq" on "service_engineer" ("essId", "userId") where "state" in ('INVITED', 'ACTIVE')`,
  ],
  routes: essRoutes,
}
