import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { freeKey } from '#server/engine/http/idempotency.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { addRows, auditJob, type Counts, isLost } from './job-store.ts'
import type { Written } from './outcome.ts'

/** Marks imports whose process is gone as interrupted, so that they no longer block others. */
export const interruptLostJobs = (db: Queryable) =>
  sql`update "importJob" set "state" = 'INTERRUPTED' where ${isLost}`.execute(db)

export const isImportRunning = async (db: Queryable): Promise<boolean> =>
  (await rowOf(db, sql`select 1 from "importJob" where "state" = 'RUNNING'`)) !== undefined

/** Starts a job whose batches follow, each in a transaction of its own. */
export async function beginJob(work: Work, job: { target: string; fileName: string; total: number }): Promise<string> {
  const id = uuidv7()
  await sql`insert into "importJob" ("id", "at", "actorId", "target", "fileName", "total", "created", "updated", "skipped", "failed",
      "done", "state", "beatAt", "runner")
    values (${id}, ${work.now}, ${work.caller.userId}, ${job.target}, ${job.fileName}, ${job.total}, 0, 0, 0, 0, 0, 'RUNNING',
      clock_timestamp(), ${work.requestId})`.execute(work.db)
  return id
}

/** Resumes an interrupted job under another request, unless its undo has begun. */
export const resumeJob = (work: Work, id: string) =>
  rowOf(
    work.db,
    sql`update "importJob" set "state" = 'RUNNING', "beatAt" = clock_timestamp(), "runner" = ${work.requestId}
      where "id" = ${id} and "state" = 'INTERRUPTED' and "removed" is null returning "id"`,
  )

export const runnerOfJob = (db: Queryable, id: string) =>
  rowOf(db, sql<{ runner: string | null }>`select "runner" from "importJob" where "id" = ${id}`)

/** Heartbeat of a running job. */
export const beat = (db: Queryable, id: string, runner: string) =>
  sql`update "importJob" set "beatAt" = clock_timestamp() where "id" = ${id} and "runner" = ${runner}`.execute(db)

export type Progress = { id: string; runner: string; done: number; written: readonly Written[] }

/** Stores a batch in its transaction. False when another runner has taken the job over: then the batch must be rolled back. */
export async function addProgress(db: Queryable, { id, runner, done, written }: Progress): Promise<boolean> {
  const created = written.filter(({ isNew }) => isNew).length
  const mine = await rowOf(
    db,
    sql`update "importJob" set "beatAt" = clock_timestamp(), "done" = least("total", ${done}), "created" = "created" + ${created},
        "updated" = "updated" + ${written.length - created}
      where "id" = ${id} and "runner" = ${runner} and "state" = 'RUNNING' returning "id"`,
  )
  if (!mine) return false
  await addRows(db, id, written)
  return true
}

/** Ends a job and writes it to the audit log. Returns its counts; undefined when another runner has taken it over. */
export async function endJob(
  work: Work,
  { id, failed }: { id: string; failed: number },
): Promise<(Counts & { target: string; fileName: string }) | undefined> {
  const ended = await rowOf(
    work.db,
    sql<Counts & { target: string; fileName: string }>`update "importJob" set "state" = 'DONE', "done" = "total",
        "failed" = ${failed}, "skipped" = "total" - "created" - "updated" - ${failed}
      where "id" = ${id} and "runner" = ${work.requestId} and "state" = 'RUNNING'
      returning "total", "created", "updated", "skipped", "failed", "target", "fileName"`,
  )
  if (ended) await auditJob(work, { id, ...ended }, ended)
  return ended
}

export const interruptJob = (db: Queryable, id: string, runner: string) =>
  sql`update "importJob" set "state" = 'INTERRUPTED' where "id" = ${id} and "runner" = ${runner} and "state" = 'RUNNING'`.execute(
    db,
  )

/** Deletes a runner's job that has written nothing, with its idempotency key. False when the job stays. */
export async function forgetJob(
  db: Queryable,
  id: string,
  asked: { runner: string; userId: string; key: string | undefined },
): Promise<boolean> {
  const gone = await rowOf(
    db,
    sql`delete from "importJob" where "id" = ${id} and "runner" = ${asked.runner} and "created" + "updated" = 0 returning "id"`,
  )
  if (gone && asked.key) await freeKey(db, asked.userId, asked.key)
  return gone !== undefined
}
