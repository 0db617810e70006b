import { sql } from 'kysely'
import { captureSpans } from '#resources/shared/configuration.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'

/** End of the packet capture of the board "t"; null when it is off. */
export const capturingUntil = sql`(select "u"."until" from (select ("c"."desired"->>'rawCaptureUntil')::timestamptz as "until"
  from "configuration" "c" where "c"."controlPcbId" = "t"."id" order by "c"."version" desc limit 1) "u" where "u"."until" > now())`

/** A new desired version that changes nothing but the end of the capture. */
async function setCapture(id: string, until: Date | null, reason: unknown, { db, now, caller }: Work): Promise<void> {
  const end = JSON.stringify({ rawCaptureUntil: until?.toISOString() ?? null })
  const written = await rowOf(
    db,
    sql`insert into "configuration" ("controlPcbId", "version", "desired", "reason", "requestedAt", "requestedBy")
    select "controlPcbId", "version" + 1, "desired" || ${end}::jsonb, ${reason ?? null}, ${now}, ${caller.userId}
    from "configuration" where "controlPcbId" = ${id} order by "version" desc limit 1 returning 1`,
  )
  if (!written) throw fleetProblem('board.no-configuration')
}

export const startCapture: ActionHandler = async ({ id, values, record, work }) => {
  await requireAssignment(work, record?.essId)
  const minutes = Number(Object.keys(captureSpans).find((span) => span === values.minutes) ?? 0)
  await setCapture(id, new Date(work.now.getTime() + minutes * minuteMs), values.reason, work)
  await writeColumns(work, 'control_pcb', id, {})
}

export const stopCapture: ActionHandler = async ({ id, record, work }) => {
  await requireAssignment(work, record?.essId)
  await setCapture(id, null, null, work)
  await writeColumns(work, 'control_pcb', id, {})
}
