import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { holdFramesOf } from '#server/fleet/shared/board-memory.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment } from '#server/fleet/shared/relations.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { endWarningsOf } from '#server/fleet/warning/warning-store.ts'

function requireReason({ reason }: Row, work: Work): void {
  if (work.caller.role === 'service_engineer' && !reason) {
    throw fleetProblem('board.reason-needed')
  }
}

type Board = { id: string; essId: string | null; lifecycle: string; version: number }
// The form's check already holds a shared lock on the board's key: two calls upgrading it would deadlock.
const boardOf = (id: unknown, work: Work) =>
  rowOf(
    work.db,
    sql<Board>`select "id", "essId", "lifecycle", "version" from "control_pcb" where "id" = ${id} for no key update`,
  )

const boardsAt = (essId: string, work: Work) =>
  rowsOf(
    work.db,
    sql<{ role: string; moduleIndex: number | null }>`select "role", "moduleIndex" from "control_pcb" where "essId" = ${essId}`,
  )

/** A system with boards is not decommissioned, and a decommissioned one takes no boards: both changes lock its row. */
const lifecycleOf = async (essId: string, work: Work) =>
  (await rowOf(work.db, sql<{ lifecycle: string }>`select "lifecycle" from "ess" where "id" = ${essId} for no key update`))
    ?.lifecycle

type Candidate = { essId: string | null; lifecycle: string }
type Wanted = { role: unknown; hasMain: boolean; isDecommissioned: boolean }

/** Problem that keeps a board from being attached; undefined when there is none. */
export function attachRefusal({ essId, lifecycle }: Candidate, { role, hasMain, isDecommissioned }: Wanted) {
  if (isDecommissioned) return fleetProblem('ess.decommissioned')
  if (essId) return fleetProblem('board.attached-elsewhere')
  if (lifecycle === 'RETIRED') return fleetProblem('board.retired')
  return role === 'MAIN' && hasMain ? fleetProblem('ess.main-board-taken') : undefined
}

/**
 * Reports from a former site say nothing of the next one; frames have whole seconds. The past of a board without a former site
 * belongs to its first.
 */
const beginStay = (db: Queryable, id: string, now: Date) =>
  sql`insert into "boardState" ("controlPcbId", "siteSince") select ${id}, case when exists (select 1 from "control_pcb_attachment" "a"
      where "a"."controlPcbId" = ${id} and "a"."removedAt" is not null) then date_trunc('second', ${now}::timestamptz) end
    on conflict ("controlPcbId") do update set "siteSince" = excluded."siteSince"`.execute(db)

const attach: ActionHandler = async ({ id, values, work }) => {
  await requireAssignment(work, id)
  requireReason(values, work)
  // Their days become those of the system: frames under way are stored before.
  await holdFramesOf(work.db, [values.controlPcbId])
  const isDecommissioned = (await lifecycleOf(id, work)) === 'DECOMMISSIONED'
  const board = await boardOf(values.controlPcbId, work)
  if (!board) throw fleetProblem('board.unknown')
  const others = await boardsAt(id, work)
  const hasMain = others.some(({ role }) => role === 'MAIN')
  const refusal = attachRefusal(board, { role: values.role, hasMain, isDecommissioned })
  if (refusal) throw refusal
  const moduleIndex = values.role === 'MODULE' ? Math.max(0, ...others.map(({ moduleIndex: index }) => index ?? 0)) + 1 : null
  const changed = await rowOf(
    work.db,
    sql<{ version: number }>`update "control_pcb" set "essId" = ${id}, "role" = ${values.role}, "moduleIndex" = ${moduleIndex},
      "lifecycle" = case "lifecycle" when 'REGISTERED' then 'ACTIVE' else "lifecycle" end,
      "version" = "version" + 1, "updatedAt" = ${work.now}, "updatedBy" = ${work.caller.userId}
      where "id" = ${board.id} and "essId" is null returning "version"`,
  )
  if (!changed) throw fleetProblem('board.attached-elsewhere')
  const attachmentId = uuidv7()
  await sql`insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt", "attachedBy", "reason", "createdBy", "updatedBy")
    values (${attachmentId}, ${board.id}, ${id}, ${values.role}, ${work.now}, ${work.caller.userId}, ${values.reason ?? null}, ${work.caller.userId}, ${work.caller.userId})`.execute(
    work.db,
  )
  await beginStay(work.db, board.id, work.now)
  await telemetryStore.endDays(work.db, { controlPcbId: board.id, now: work.now })
  await endWarningsOf(work.db, board.id, work.now)
  await keepPlaces(work.db, { boards: [board.id], systems: [id] })
  work.changed({ resource: 'control-pcb-attachment', id: attachmentId, version: 1, type: 'created' })
  work.changed({ resource: 'control-pcb', id: board.id, version: changed.version, type: 'updated' })
}

const remove: ActionHandler = async ({ id, values, work }) => {
  await requireAssignment(work, id)
  requireReason(values, work)
  // Frames that were judged by the system count for it and raise their warnings before it is left.
  await holdFramesOf(work.db, [values.controlPcbId])
  const changed = await rowOf(
    work.db,
    sql<{ id: string; version: number }>`update "control_pcb" set "essId" = null, "role" = null, "moduleIndex" = null,
      "version" = "version" + 1, "updatedAt" = ${work.now}, "updatedBy" = ${work.caller.userId}
      where "id" = ${values.controlPcbId} and "essId" = ${id} returning "id", "version"`,
  )
  if (!changed) throw problem('not-found')
  const ended = await rowsOf(
    work.db,
    sql<{
      id: string
      version: number
    }>`update "control_pcb_attachment" set "removedAt" = ${work.now}, "removedBy" = ${work.caller.userId},
    "reason" = coalesce(${values.reason ?? null}::text, "reason"), "version" = "version" + 1, "updatedAt" = ${work.now}
    where "controlPcbId" = ${changed.id} and "essId" = ${id} and "removedAt" is null returning "id", "version"`,
  )
  for (const row of ended) work.changed({ resource: 'control-pcb-attachment', ...row, type: 'updated' })
  await beginStay(work.db, changed.id, work.now)
  await telemetryStore.endDays(work.db, { controlPcbId: changed.id, now: work.now })
  await endWarningsOf(work.db, changed.id, work.now)
  await keepPlaces(work.db, { boards: [changed.id], systems: [id] })
  work.changed({ resource: 'control-pcb', id: changed.id, version: changed.version, type: 'updated' })
}

/** Actions that attach and detach boards; engineers need an assignment and a reason. */
export const essBoardActions = {
  'attach-control-pcb': attach,
  'remove-control-pcb': { handler: remove, status: 204 },
} satisfies ResourceRules['actions']
