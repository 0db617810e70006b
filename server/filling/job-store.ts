import { sql } from 'kysely'
import type { ImportJob, ImportReport } from '#schema/wire/import-report.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import type { Written } from './outcome.ts'

const most = 200
/** An import beats every few seconds; one that has been silent for this long has lost its process. */
export const isLost = sql<boolean>`("state" = 'RUNNING' and "beatAt" < clock_timestamp() - interval '20 seconds')`
const stateOf = sql`case when ${isLost} then 'INTERRUPTED' else "state" end`
const atOnce = 1_000

export type JobRow = { entityId: string; code: string; version: number; before: Row | null }

/** Keeps the records that a file has made or changed, with what an undo needs. */
export async function addRows(db: Queryable, jobId: string, written: readonly Written[]): Promise<void> {
  const rows = written.map(({ id: entityId, ...row }) => ({ jobId, entityId, ...row }))
  for (let at = 0; at < rows.length; at += atOnce) {
    // An import that was interrupted and goes on may meet its own records; one that was changed meanwhile is no longer its own.
    await sql`insert into "importJobRow" ("jobId", "entityId", "code", "version", "before")
      select "jobId", "entityId", "code", "version", "before"
      from jsonb_populate_recordset(null::"importJobRow", ${JSON.stringify(rows.slice(at, at + atOnce))}::jsonb)
      on conflict do nothing`.execute(db)
  }
}

/** Imports and undos take turns: each looks up existing rows before it writes. Held until the transaction ends. */
export const lockImports = (db: Queryable) => sql`select pg_advisory_xact_lock(727104)`.execute(db)

export type Counts = Pick<ImportReport, 'total' | 'created' | 'updated' | 'skipped' | 'failed'>

export const auditJob = (
  work: Work,
  { id, target, fileName }: { id: string; target: string; fileName: string },
  { total, created, updated, skipped, failed }: Counts,
) =>
  work.audit({
    action: 'import',
    entityType: 'import-job',
    entityId: id,
    code: fileName,
    after: { target, total, created, updated, skipped, failed },
  })

const columns = sql`"j"."id", ${isoTime(sql`"j"."at"`)} as "at", "j"."target", "j"."fileName",
  ${stateOf} as "state",
  "j"."done", "j"."total", "j"."created", "j"."updated",
  "j"."skipped", "j"."failed", ${isoTime(sql`"j"."undoneAt"`)} as "undoneAt", "j"."removed", "j"."restored", "j"."kept",
  (select jsonb_build_object('id', "u"."id", 'name', coalesce(nullif(concat_ws(' ', "u"."firstName", "u"."lastName"), ''), "u"."email"))
    from "user" "u" where "u"."id" = "j"."actorId") as "actor"`

export const listJobs = (db: Queryable): Promise<ImportJob[]> =>
  rowsOf(db, sql<ImportJob>`select ${columns} from "importJob" "j" order by "j"."at" desc, "j"."id" desc limit ${most}`)

export const jobById = (db: Queryable, id: string): Promise<ImportJob | undefined> =>
  rowOf(db, sql<ImportJob>`select ${columns} from "importJob" "j" where "j"."id" = ${id}`)

/** Locks a job for its undo, so that concurrent undos are serialised. */
export const lockedJob = (db: Queryable, id: string) =>
  rowOf(
    db,
    sql<{
      target: string
      fileName: string
      state: ImportJob['state']
      undoneAt: string | null
    }>`select "target", "fileName", "state",
      "undoneAt" from "importJob"
      where "id" = ${id} for update`,
  )

/** The next rows to undo; changed records first, because one may reference a created one. */
export const rowsToUndo = (db: Queryable, id: string, most: number): Promise<JobRow[]> =>
  rowsOf(
    db,
    sql<JobRow>`select "entityId", "code", "version", "before" from "importJobRow" where "jobId" = ${id} and not "isUndone"
      order by ("before" is null), "entityId" limit ${most}`,
  )

export type Undone = { removed: number; restored: number; kept: readonly { code: string; reason: string }[] }

/** Keeps a batch of an undo in its transaction, so that one that was cut off goes on where it was. */
export async function addUndone(
  db: Queryable,
  id: string,
  { rows, removed, restored, kept }: Undone & { rows: readonly JobRow[] },
): Promise<void> {
  await sql`update "importJobRow" set "isUndone" = true, "before" = null
    where "jobId" = ${id} and "entityId" = any(${sql.val(rows.map(({ entityId }) => entityId))}::text[])`.execute(db)
  await sql`update "importJob" set "removed" = coalesce("removed", 0) + ${removed},
    "restored" = coalesce("restored", 0) + ${restored}, "kept" = coalesce("kept", '[]') || ${JSON.stringify(kept)}::jsonb
    where "id" = ${id}`.execute(db)
}

/** Ends an undo; answers what its batches have done. */
export const endUndo = (db: Queryable, id: string, now: Date) =>
  rowOf(
    db,
    sql<{ removed: number; restored: number; kept: number }>`update "importJob" set "undoneAt" = ${now}
      where "id" = ${id} returning "removed", "restored", jsonb_array_length("kept") as "kept"`,
  )
