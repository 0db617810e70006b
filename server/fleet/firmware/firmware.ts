import { sql } from 'kysely'
import { firmwareStates } from '#resources/firmware.ts'
import type { Label } from '#schema/words.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { writeColumns } from '#server/fleet/shared/relations.ts'
import { intactImage } from './firmware-file.ts'
import { firmwareRoutes } from './firmware-routes.ts'
import { fits } from './firmware-sql.ts'
import { requireSecondPerson } from './second-person.ts'
import { ofRevoked, takeRevoked } from './updates/recalled-firmware.ts'
import { lockUpdates } from './updates/update-rows.ts'

const running = sql`(select count(*) from "boardState" "s" join "control_pcb" "b" on "b"."id" = "s"."controlPcbId"
  where "s"."firmwareVersion" = "t"."firmwareVersion" and ${fits('t', 'b')})`

async function boardsRunning(record: Row, work: Work): Promise<number> {
  const row = await rowOf(
    work.db,
    sql<{ count: number }>`select ${running} as "count" from "firmware" "t" where "t"."id" = ${record.id}`,
  )
  return row?.count ?? 0
}

const updates = sql`(select count(*) as "requested", count(*) filter (where "u"."finishedAt" is null) as "openUpdates",
  count(*) filter (where "u"."status" = 'SUCCEEDED') as "succeeded", count(*) filter (where "u"."status" in ('FAILED', 'EXPIRED')) as "failed",
  count(*) filter (where "u"."status" = 'ROLLED_BACK') as "rolledBack" from "firmware_update" "u" where "u"."firmwareId" = "t"."id")`

const stats = sql`(select jsonb_build_object('running', ${running}, 'openUpdates', "n"."openUpdates", 'succeeded', "n"."succeeded",
  'failed', "n"."failed", 'rolledBack', "n"."rolledBack",
  'successPct', round(100.0 * "n"."succeeded" / nullif("n"."succeeded" + "n"."failed" + "n"."rolledBack", 0))) from ${updates} "n")`

type Updates = { requested: number; openUpdates: number; succeeded: number }
const updatesOf = async (record: Row, work: Work): Promise<Updates> => {
  const row = await rowOf(
    work.db,
    sql<Updates>`select "n".* from "firmware" "t" cross join lateral ${updates} "n" where "t"."id" = ${record.id}`,
  )
  return row ?? { requested: 0, openUpdates: 0, succeeded: 0 }
}

/** Open updates are cancelled within the request up to a limit; the job cancels the rest within seconds. */
async function cancelUpdatesOf(id: string, { db, now, caller }: Work): Promise<void> {
  const open = await lockUpdates(db, sql`"firmwareId" = ${id} and ${ofRevoked}`, 1_000)
  for (const update of open) await takeRevoked(db, update, now, caller.userId)
}

const nextOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(firmwareStates).map(([name, state]) => [name, 'next' in state ? state.next : []]),
)

const stateLabel = (state: unknown): Label =>
  Object.entries(firmwareStates).find(([name]) => name === state)?.[1].label ?? [String(state), String(state)]

type Entry = (record: Row, reason: string, work: Work) => Promise<void>

/** Conditions for entering a status; the definition has the order of states. */
const entry: Readonly<Record<string, Entry>> = {
  // An image in TESTING must have one successful update; without one, its release is an admin's decision.
  RELEASED: async (record, reason, work) => {
    await requireSecondPerson(String(record.id), work)
    if (record.status !== 'TESTING' || (await updatesOf(record, work)).succeeded > 0) return
    if (work.caller.role !== 'admin') throw fleetProblem('firmware.not-proven')
    if (!reason) throw fleetProblem('firmware.release-reason')
  },
  REVOKED: async (record, reason) => {
    if (record.status !== 'TESTING' && !reason) throw fleetProblem('firmware.revoke-reason')
  },
  ARCHIVED: async (record, _reason, work) => {
    const { openUpdates } = await updatesOf(record, work)
    if (openUpdates > 0) throw fleetProblem('firmware.has-open-updates', { values: { count: openUpdates } })
    const count = await boardsRunning(record, work)
    if (count > 0) throw fleetProblem('firmware.in-use', { values: { count } })
  },
}

const setStatus: ActionHandler = async ({ id, values, record, work }) => {
  if (!record) throw problem('not-found')
  const status = String(values.status)
  const allowed = nextOf[String(record.status)] ?? []
  if (!allowed.includes(status)) {
    const values = { from: stateLabel(record.status), to: stateLabel(status) }
    throw problem('transition', { allowed, allowedLabels: allowed.map(stateLabel), values })
  }
  const reason = typeof values.reason === 'string' ? values.reason : ''
  await entry[status]?.(record, reason, work)
  // Bytes that have changed since the upload are neither tested nor released.
  if (status === 'TESTING' || status === 'RELEASED') await intactImage(id, work)
  await writeColumns(work, 'firmware', id, { status, statusReason: reason || null })
  if (status === 'REVOKED') await cancelUpdatesOf(id, work)
  if (status === 'ARCHIVED') await sql`delete from "firmwareFile" where "firmwareId" = ${id}`.execute(work.db)
}

export const firmwareRules: ResourceRules = {
  derived: { stats },
  beforeDelete: async (current, work) => {
    const count = await boardsRunning(current, work)
    if (count > 0) throw fleetProblem('firmware.in-use', { values: { count } })
    const { requested } = await updatesOf(current, work)
    if (requested > 0) throw fleetProblem('firmware.has-updates', { values: { count: requested } })
    await sql`delete from "firmwareFile" where "firmwareId" = ${current.id}`.execute(work.db)
    return 'delete'
  },
  actions: { 'set-status': setStatus, 'start-testing': setStatus },
  indexes: [
    `create unique index if not exists "firmware_sha256_uq" on "firmware" (("file"->>'sha256'))`,
    `create index if not exists "firmware_version_ix" on "firmware" ("firmwareVersion")`,
    `create index if not exists "boardState_firmwareVersion_ix" on "boardState" ("firmwareVersion")`,
  ],
  routes: firmwareRoutes,
}
