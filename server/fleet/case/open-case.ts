import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { AnsweringAction, Row, Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'

const aroundMs = 30 * minuteMs
const longestBeforeMs = 6 * hourMs
const longestMs = dayMs

const timeOf = (value: unknown): number => Date.parse(String(value))

/**
 * Span of a case: from half an hour before the warning to half an hour after its last sample. Long warnings keep their first
 * day, and the board's own start time is trusted for six hours.
 */
export function spanAround(warning: Row, now: Date): { startsAt: Date; endsAt: Date } {
  const raised = timeOf(warning.raisedAt)
  const began = Math.max(Math.min(timeOf(warning.startedAt ?? warning.raisedAt), raised), raised - longestBeforeMs)
  const last = warning.active === true ? now.getTime() : timeOf(warning.clearedAt ?? warning.lastSeenAt)
  const ended = Math.min(Math.max(last, raised), raised + longestMs)
  return { startsAt: new Date(began - aroundMs), endsAt: new Date(ended + aroundMs) }
}

/** The board of the warning; for a site-wide warning its main board. */
async function boardOf({ controlPcbId, essId }: Row, { db }: Work): Promise<string> {
  if (typeof controlPcbId === 'string') return controlPcbId
  const main = await rowOf(db, sql<{ id: string }>`select "id" from "control_pcb" where "essId" = ${essId} and "role" = 'MAIN'`)
  if (!main) throw fleetProblem('case.no-main-board')
  return main.id
}

async function make(warning: Row, work: Work): Promise<string> {
  const { db, caller, now } = work
  const id = uuidv7()
  const { startsAt, endsAt } = spanAround(warning, now)
  const made = await rowOf(
    db,
    sql<{
      code: string
    }>`insert into "case_file" ("id", "code", "warningId", "essId", "controlPcbId", "startsAt", "endsAt", "createdAt", "createdBy", "updatedAt", "updatedBy")
      select ${id}, 'CASE-' || lpad("n", greatest(6, length("n")), '0'), ${warning.id}, ${warning.essId}, ${await boardOf(warning, work)}, ${startsAt}, ${endsAt},
        ${now}, ${caller.userId}, ${now}, ${caller.userId} from (select nextval('"caseNumber"')::text as "n") "number" returning "code"`,
  )
  const facts = { warningId: warning.id, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() }
  await work.audit({ action: 'create', entityType: 'case-file', entityId: id, code: made?.code ?? '', after: facts })
  work.changed({ resource: 'case-file', id, version: 1, type: 'created' })
  return id
}

/**
 * Returns the case file of a warning, or creates one. The warning's row is locked, so that concurrent calls create only one.
 */
export const openCase: AnsweringAction = {
  status: 200,
  makes: 'case-file',
  handler: async ({ id, record, work }) => {
    if (!record) throw problem('not-found')
    await requireAssignment(work, record.essId)
    const known = await rowOf(work.db, sql<{ id: string }>`select "id" from "case_file" where "warningId" = ${id}`)
    if (known) return { made: known.id }
    const made = await make(record, work)
    await writeColumns(work, 'telemetry_warning', id, {})
    return { made }
  },
}
