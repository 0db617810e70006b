import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'
import { actsAt, isStaff } from './assignee-sql.ts'

/** Gives a warning to a person who may act on it: work of anybody else would lie where nobody can do it. */
export const assign: ActionHandler = async ({ id, values, record, work }) => {
  if (!record) throw problem('not-found')
  await requireAssignment(work, record.essId)
  const found = await rowOf(
    work.db,
    sql<{
      acts: boolean
    }>`select ${actsAt(sql`${record.essId}`)} as "acts" from "user" "t" where "t"."id" = ${values.userId} and ${isStaff}`,
  )
  if (!found) throw fleetProblem('warning.assignee-not-staff')
  if (!found.acts) throw fleetProblem('warning.assignee-not-serving')
  await writeColumns(work, 'telemetry_warning', id, { assigneeId: values.userId })
}
