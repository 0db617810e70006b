import { sql } from 'kysely'
import { callerName } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { openCase } from '#server/fleet/case/open-case.ts'
import { isAssignedSql } from '#server/fleet/shared/assignment-sql.ts'
import { requireAssignment, writeColumns } from '#server/fleet/shared/relations.ts'
import { assign } from './assignment/assign.ts'
import { assigneeRoutes } from './assignment/assignee-routes.ts'
import { thresholdRoutes } from './limits/threshold-routes.ts'
import { isSnoozed, snooze, wake } from './snooze.ts'
import { warningOrder, warningOrderIndex } from './warning-order.ts'
import { keepPlacesOf } from './warning-store.ts'
import { addWarningWebhooks } from './warning-webhooks.ts'

/** Actions on a warning need an assignment to its site; all fleet staff may comment. */
async function mine(record: Row | undefined, work: Work): Promise<Row> {
  if (!record) throw problem('not-found')
  await requireAssignment(work, record.essId)
  return record
}

/** Announces the board and ESS, which show the number and severity of open warnings. */
async function healthChanged({ controlPcbId, essId }: Row, work: Work): Promise<void> {
  for (const [resource, table, id] of [
    ['control-pcb', 'control_pcb', controlPcbId],
    ['ess', 'ess', essId],
  ] as const) {
    const row = await rowOf(
      work.db,
      sql<{ version: number }>`select "version" from ${sql.table(table)} where "id" = ${id ?? null}`,
    )
    if (row) work.changed({ resource, id: String(id), version: row.version, type: 'updated' })
  }
}

const acknowledge: ActionHandler = async ({ id, values, record, work }) => {
  const warning = await mine(record, work)
  const by = { acknowledgedAt: work.now, acknowledgedBy: work.caller.userId }
  await writeColumns(work, 'telemetry_warning', id, { acknowledged: true, ...by, ackNote: values.note ?? null })
  await addWarningWebhooks(work.db, { type: 'warning.acknowledged', ids: [id], now: work.now })
  await healthChanged(warning, work)
}

const take: ActionHandler = async ({ id, record, work }) => {
  await mine(record, work)
  await writeColumns(work, 'telemetry_warning', id, { assigneeId: work.caller.userId })
}

const addComment = async (id: string, text: unknown, { caller, now, db }: Work) => {
  const comment = { at: now.toISOString(), by: callerName(caller), byId: caller.userId, text }
  await sql`update "telemetry_warning" set "comments" = coalesce("comments", '[]') || ${JSON.stringify([comment])}::jsonb where "id" = ${id}`.execute(
    db,
  )
}

const idOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** Ends a latched warning after the caller confirms that its cause is gone; this acknowledges it. */
const clear: ActionHandler = async ({ id, values, record, work }) => {
  const warning = await mine(record, work)
  await addComment(id, values.note, work)
  const acknowledged = warning.acknowledged
    ? {}
    : { acknowledged: true, acknowledgedAt: work.now, acknowledgedBy: work.caller.userId }
  await writeColumns(work, 'telemetry_warning', id, {
    active: false,
    clearedAt: work.now,
    clearedBy: work.caller.userId,
    ...acknowledged,
  })
  await addWarningWebhooks(work.db, { type: 'warning.cleared', ids: [id], now: work.now })
  await keepPlacesOf(work.db, [{ controlPcbId: idOf(warning.controlPcbId), essId: idOf(warning.essId) }])
  await healthChanged(warning, work)
}

const comment: ActionHandler = async ({ id, values, work }) => {
  await addComment(id, values.text, work)
  await writeColumns(work, 'telemetry_warning', id, {})
}

const state = sql`(case when "t"."active" then 'ACTIVE' else 'CLEARED' end) || (case when "t"."acknowledged" then '_ACK' else '_UNACK' end)`

export const telemetryWarningRules: ResourceRules = {
  derived: {
    state,
    attention: warningOrder,
    snoozed: isSnoozed,
    caseId: sql`(select "c"."id" from "case_file" "c" where "c"."warningId" = "t"."id")`,
  },
  forCaller: isAssignedSql(sql`"t"."essId"`),
  actions: {
    acknowledge,
    assign,
    take,
    snooze,
    wake,
    clear,
    comment: { handler: comment, status: 201 },
    'open-case': openCase,
  },
  indexes: [
    `create unique index if not exists "telemetry_warning_place_uq" on "telemetry_warning" ("controlPcbId", "code", coalesce("subject", '')) where "active"`,
    `create index if not exists "telemetry_warning_board_ix" on "telemetry_warning" ("controlPcbId", "code", "clearedAt")`,
    `create index if not exists "telemetry_warning_active_ix" on "telemetry_warning" ("essId") where "active"`,
    `create index if not exists "telemetry_warning_snoozed_ix" on "telemetry_warning" ("snoozedUntil") where "snoozedUntil" is not null`,
    `create index if not exists "telemetry_warning_updatedAt_ix" on "telemetry_warning" ("updatedAt")`,
    warningOrderIndex,
  ],
  routes: (api, tools) => {
    assigneeRoutes(api, tools)
    return thresholdRoutes(api, tools)
  },
}
