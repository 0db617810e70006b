import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { ImportJob, ImportReport } from '#schema/wire/import-report.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import type { Written } from './outcome.ts'

const most = 200
const atOnce = 1_000

export type JobRow = { entityId: string; code: string; version: number; before: Row | null }

/** Keeps what a file has done, with the records that it made or changed, and writes it to the audit log. */
export async function addJob(
  work: Work,
  { report, fileName, written }: { report: ImportReport; fileName: string; written: readonly Written[] },
): Promise<string> {
  const id = uuidv7()
  const { target, total, created, updated, skipped, failed } = report
  await sql`insert into "importJob" ("id", "at", "actorId", "target", "fileName", "total", "created", "updated", "skipped", "failed")
    values (${id}, ${work.now}, ${work.caller.userId}, ${target}, ${fileName}, ${total}, ${created}, ${updated}, ${skipped}, ${failed})`.execute(
    work.db,
  )
  const rows = written.map(({ id: entityId, ...row }) => ({ jobId: id, entityId, ...row }))
  for (let at = 0; at < rows.length; at += atOnce) {
    await sql`insert into "importJobRow" ("jobId", "entityId", "code", "version", "before")
      select "jobId", "entityId", "code", "version", "before"
      from jsonb_populate_recordset(null::"importJobRow", ${JSON.stringify(rows.slice(at, at + atOnce))}::jsonb)`.execute(
      work.db,
    )
  }
  const after = { target, total, created, updated, skipped, failed }
  await work.audit({ action: 'import', entityType: 'import-job', entityId: id, code: fileName, after })
  return id
}

const columns = sql`"j"."id", ${isoTime(sql`"j"."at"`)} as "at", "j"."target", "j"."fileName", "j"."total", "j"."created", "j"."updated",
  "j"."skipped", "j"."failed", ${isoTime(sql`"j"."undoneAt"`)} as "undoneAt", "j"."removed", "j"."restored", "j"."kept",
  (select jsonb_build_object('id', "u"."id", 'name', coalesce(nullif(concat_ws(' ', "u"."firstName", "u"."lastName"), ''), "u"."email"))
    from "user" "u" where "u"."id" = "j"."actorId") as "actor"`

/** The last jobs, newest first. */
export const listJobs = (db: Queryable): Promise<ImportJob[]> =>
  rowsOf(db, sql<ImportJob>`select ${columns} from "importJob" "j" order by "j"."at" desc, "j"."id" desc limit ${most}`)

export const jobById = (db: Queryable, id: string): Promise<ImportJob | undefined> =>
  rowOf(db, sql<ImportJob>`select ${columns} from "importJob" "j" where "j"."id" = ${id}`)

/** A job that is about to be undone, kept from a second undoing at the same moment. */
export const lockedJob = (db: Queryable, id: string) =>
  rowOf(
    db,
    sql<{ target: string; fileName: string; undoneAt: string | null }>`select "target", "fileName", "undoneAt" from "importJob"
      where "id" = ${id} for update`,
  )

export const rowsOfJob = (db: Queryable, id: string): Promise<JobRow[]> =>
  rowsOf(
    db,
    sql<JobRow>`select "entityId", "code", "version", "before" from "importJobRow" where "jobId" = ${id} order by "entityId"`,
  )
