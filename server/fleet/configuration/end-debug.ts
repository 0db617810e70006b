import { type RawBuilder, sql } from 'kysely'
import { configurationFields } from '#resources/shared/configuration.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { longestDebugMin, type ServerReason } from '#schema/server-reasons.ts'
import type { Database } from '#server/db/connect.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import { eachInTurn } from '#server/db/jobs/each-in-turn.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'

const atOnce = 100
const usual = configurationFields.logLevel.default
const reason: ServerReason = 'debug-ended'

/**
 * Boards in debug mode beyond the time limit, with their previous log level. Intermediate versions with other changes do not
 * extend the limit.
 */
const overdue = (now: Date) => sql`select "c".*, coalesce("p"."desired"->>'logLevel', ${usual}::text) as "level"
  from "configuration" "c"
    left join lateral (select "version", "desired" from "configuration" where "controlPcbId" = "c"."controlPcbId" and "version" < "c"."version"
      and "desired"->>'logLevel' is distinct from 'DEBUG' order by "version" desc limit 1) "p" on true
    join lateral (select min("requestedAt") as "since" from "configuration"
      where "controlPcbId" = "c"."controlPcbId" and "version" > coalesce("p"."version", 0)) "s" on true
  where "c"."desired"->>'logLevel' = 'DEBUG' and "s"."since" <= ${new Date(now.getTime() - longestDebugMin * minuteMs)}
    and not exists (select 1 from "configuration" where "controlPcbId" = "c"."controlPcbId" and "version" > "c"."version")`

/** Creates a version that only resets the log level; none when another change came first. */
async function endOf(db: Queryable, id: string, now: Date): Promise<boolean> {
  const board = await rowOf(db, sql<{ code: string }>`select "code" from "control_pcb" where "id" = ${id} for update`)
  if (!board) return false
  const ended = await rowOf(db, nextVersion(id, now))
  if (!ended) return false
  const touched = await rowOf(
    db,
    sql<{ version: number }>`update "control_pcb" set "version" = "version" + 1, "updatedAt" = ${now}, "updatedBy" = null
      where "id" = ${id} returning "version"`,
  )
  const entry = { action: 'end-debug', entityType: 'control-pcb', entityId: id, code: board.code, reason }
  const levels = { before: { logLevel: 'DEBUG' }, after: { logLevel: ended.level } }
  await addServerAudit(db, { ...entry, ...levels, at: now })
  await addEvents(db, [{ resource: 'control-pcb', id, version: touched?.version ?? 1, type: 'updated' }], now)
  return true
}

const nextVersion = (id: string, now: Date): RawBuilder<{ level: string }> => sql`
  insert into "configuration" ("controlPcbId", "version", "desired", "reason", "requestedAt")
  select "controlPcbId", "version" + 1, "desired" || jsonb_build_object('logLevel', "level"), ${reason}, ${now}
    from (${overdue(now)}) "o" where "controlPcbId" = ${id} returning "desired"->>'logLevel' as "level"`

/** Resets expired DEBUG levels by ordinary configuration changes. Returns the number of boards. */
export async function endDebug(database: Database, now: Date): Promise<number> {
  const due = await rowsOf(
    database.kysely,
    sql<{ id: string }>`select "controlPcbId" as "id" from (${overdue(now)}) "o" limit ${atOnce}`,
  )
  let ended = 0
  const end = async ({ id }: { id: string }) => {
    if (await inTransaction(database, (db) => endOf(db, id, now))) ended += 1
  }
  await eachInTurn(due, ({ id }) => `board ${id}`, end)
  return ended
}
