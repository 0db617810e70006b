import { sql } from 'kysely'
import type { ActionHandler, ResourceRules } from '#server/engine/records/resource-rules.ts'
import { isAssignedSql } from '#server/fleet/shared/assignment-sql.ts'
import { requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { caseRoutes } from './case-routes.ts'
import { configurationsOf, packagesOf, spanOf, updatesOf } from './case-sql.ts'

const span = spanOf('t')
const warning = (value: string) => sql`(select ${sql.raw(value)} from "telemetry_warning" "w" where "w"."id" = "t"."warningId")`
const count = (rows: ReturnType<typeof packagesOf>) => sql`(select count(*) from ${rows} "r")`

const editNote: ActionHandler = async ({ id, values, record, work }) => {
  await requireAssignment(work, record?.essId)
  await writeColumns(work, 'case_file', id, { note: values.note ?? null })
}

export const caseFileRules = (decoder: FrameDecoder): ResourceRules => ({
  derived: {
    warningCode: warning('"w"."code"'),
    state: sql`case when "t"."endsAt" > now() then 'OPEN' else 'WHOLE' end`,
    counts: sql`jsonb_build_object('packages', ${count(packagesOf(span))}, 'samples', ${count(telemetryStore.relations.samplesIn(span))},
      'configurations', ${count(configurationsOf(span))}, 'updates', ${count(updatesOf(span))},
      'comments', ${warning(`coalesce(jsonb_array_length("w"."comments"), 0)`)})`,
  },
  forCaller: isAssignedSql(sql`"t"."essId"`),
  actions: { 'edit-note': editNote },
  indexes: [
    `create unique index if not exists "case_file_warning_uq" on "case_file" ("warningId")`,
    `create index if not exists "case_file_board_ix" on "case_file" ("controlPcbId")`,
  ],
  routes: caseRoutes(decoder),
})
