import { sql } from 'kysely'
import type { ImportJob, ImportReport } from '#schema/wire/import-report.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { ValuePlace } from '#server/engine/changes/writing/kept-values.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import type { Written } from './outcome.ts'

const most = 200
/** An import beats every few seconds; one that has been silent for this long has lost its process. */
export const isLost = sql<boolean>`("state" = 'RUNNING' and "beatAt" < clock_timestamp() - interval '20 seconds')`
const stateOf = sql`case when ${isLost} then 'INTERRUPTED' else "state" end`
const atOnce = 1_000

export type JobRow = { entityId: string; code: string; version: number; before: Row | null }

export const idsOf = (rows: readonly JobRow[]) => sql.val(rows.map(({ entityId }) => entityId))

/** Plans keep these values in step with the definitions. */
export const valuesBeforeImport: ValuePlace = {
  table: 'importJobRow',
  values: 'before',
  record: 'entityId',
  owner: { table: 'importJob', by: 'jobId', resource: 'target' },
}

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
export const lockImports = (db: Queryable) => takeLock(db, 'imports')

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
  "j"."skipped", "j"."failed", ${isoTime(sql`"j"."undoneAt"`)} as "undoneAt", "j"."removed", "j"."restored",
  case when "j"."removed" is not null then coalesce("j"."kept", '[]') || coalesce((
    select jsonb_agg(jsonb_build_object('code', "r"."code", 'reason', "r"."kept") order by "r"."code") from "importJobRow" "r"
      where "r"."jobId" = "j"."id" and "r"."kept" is not null
  ), '[]') end as "kept",
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

const openRows = (id: string) => sql`from "importJobRow" where "jobId" = ${id} and not "isUndone"`

type OpenRow = Pick<JobRow, 'entityId' | 'before'>

/** Changed records that a job's undo has still to give back, piece by piece. */
export const openChanges = (db: Queryable, id: string, { after, most }: { after: string; most: number }): Promise<OpenRow[]> =>
  rowsOf(
    db,
    sql<OpenRow>`select "entityId", "before" ${openRows(id)} and "before" is not null and "entityId" > ${after}
      order by "entityId" limit ${most}`,
  )

/** Ids of records that a job's undo has still to remove, newest first: a record refers to older ones. */
export const openCreations = async (db: Queryable, id: string): Promise<string[]> => {
  const rows = await rowsOf(
    db,
    sql<{ entityId: string }>`select "entityId" ${openRows(id)} and "before" is null order by "entityId" desc`,
  )
  return rows.map(({ entityId }) => entityId)
}

/** Rows of a job in the order of these ids, without those that are undone. */
export const rowsToUndo = (db: Queryable, id: string, entityIds: readonly string[]): Promise<JobRow[]> =>
  rowsOf(
    db,
    sql<JobRow>`select "entityId", "code", "version", "before" ${openRows(id)} and "entityId" = any(${sql.val(entityIds)}::text[])
      order by array_position(${sql.val(entityIds)}::text[], "entityId")`,
  )

/** A record that an undo has given back what it was as version `from`; it is version `to` now. */
export type Moved = { entityId: string; from: number; to: number }

/**
 * Earlier imports follow the versions of records that are given back to them: an undone import is no change by a person. All of a
 * record's rows move alike, so that a change by a person between two imports stays a gap between their versions.
 */
export async function followVersions(db: Queryable, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return
  await sql`update "importJobRow" "r" set "version" = "r"."version" + "m"."to" - "m"."from"
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) as "m"("entityId" text, "from" int4, "to" int4)
    where "r"."entityId" = "m"."entityId" and not "r"."isUndone" and "r"."version" <= "m"."from"`.execute(db)
}

/** `kept`: rows that an undo left as they are, each with its reason in words. */
export type Undone = { removed: number; restored: number; kept: readonly { row: JobRow; reason: string }[] }

/** Progress of an undo, and the number of rows that are left to it. */
export type UndoProgress = { removed: number; restored: number; kept: number; left: number }

/**
 * Keeps a batch of an undo in its transaction, so that one that was cut off goes on where it was. Each row holds its own reason:
 * a list of all of them would be written again with each batch.
 */
export async function addUndone(
  db: Queryable,
  id: string,
  { rows, removed, restored, kept }: Undone & { rows: readonly JobRow[] },
): Promise<UndoProgress> {
  const reasons = new Map<string, string>()
  for (const { row, reason } of kept) reasons.set(row.entityId, [reasons.get(row.entityId) ?? [], reason].flat().join('; '))
  const undone = rows.map(({ entityId }) => ({ entityId, kept: reasons.get(entityId) ?? null }))
  await sql`update "importJobRow" "r" set "isUndone" = true, "before" = null, "kept" = "u"."kept"
    from jsonb_to_recordset(${JSON.stringify(undone)}::jsonb) as "u"("entityId" text, "kept" text)
    where "r"."jobId" = ${id} and "r"."entityId" = "u"."entityId"`.execute(db)
  const ofJob = sql`from "importJobRow" where "jobId" = ${id}`
  const progress = await rowOf(
    db,
    sql<UndoProgress>`update "importJob" set "removed" = coalesce("removed", 0) + ${removed},
      "restored" = coalesce("restored", 0) + ${restored} where "id" = ${id}
      returning "removed", "restored", (select count(*)::int4 ${ofJob} and not "isUndone") as "left",
      coalesce(jsonb_array_length("kept"), 0) + (select count(*)::int4 ${ofJob} and "kept" is not null) as "kept"`,
  )
  return progress ?? { removed, restored, kept: kept.length, left: 0 }
}

export const endUndo = (db: Queryable, id: string, now: Date) =>
  sql`update "importJob" set "undoneAt" = ${now} where "id" = ${id}`.execute(db)
