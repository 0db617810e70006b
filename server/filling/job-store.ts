import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
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

/** Keeps what a file has done in one transaction, and writes it to the audit log. */
export async function addJob(
  work: Work,
  { report, fileName, written }: { report: ImportReport; fileName: string; written: readonly Written[] },
): Promise<string> {
  const id = uuidv7()
  const { target, total, created, updated, skipped, failed } = report
  await sql`insert into "importJob" ("id", "at", "actorId", "target", "fileName", "total", "created", "updated", "skipped", "failed",
      "done")
    values (${id}, ${work.now}, ${work.caller.userId}, ${target}, ${fileName}, ${total}, ${created}, ${updated}, ${skipped}, ${failed},
      ${total})`.execute(work.db)
  await addRows(work.db, id, written)
  await auditJob(work, { id, target, fileName }, report)
  return id
}

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

export const rowsOfJob = (db: Queryable, id: string): Promise<JobRow[]> =>
  rowsOf(
    db,
    sql<JobRow>`select "entityId", "code", "version", "before" from "importJobRow" where "jobId" = ${id} order by "entityId"`,
  )
