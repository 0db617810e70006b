import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { pairing } from '#schema/import-columns.ts'
import { canSignIn } from '#server/account/can-sign-in.ts'
import { problem } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import { announceChange } from '#server/engine/records/answer-record.ts'
import { auditChange } from '#server/engine/records/audit-change.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { columnsReferringTo, referencedIds } from '#server/engine/records/uses/reference-columns.ts'
import { type Engine, transact, withoutTransaction } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Announced, bulkWork } from '#server/filling/bulk-work.ts'
import { interruptLostJobs } from '#server/filling/job-progress.ts'
import { addUndone, endUndo, idsOf, type JobRow, lockedJob, lockImports, rowsToUndo } from '#server/filling/job-store.ts'
import { fillingProblem } from '#server/filling/problems.ts'
import { type KeptReason, keptText, type Undone } from './kept.ts'
import { restoreRecords } from './restore-records.ts'
import { undoOrder } from './undo-order.ts'
import { undoPairings } from './undo-pairings.ts'

/** Dependent rows that belong to the record "t" alone, and the condition under which the record is in use beyond the import. */
type Facts = { own: readonly { table: string; column: string; where?: string }[]; used: RawBuilder<boolean> }

const plainFacts: Facts = { own: [], used: sql`false` }

const facts: Readonly<Record<string, Facts>> = {
  'control-pcb': {
    own: [
      { table: 'configuration', column: 'controlPcbId' },
      { table: 'boardState', column: 'controlPcbId' },
      { table: 'boardMemory', column: 'controlPcbId' },
      { table: 'deviceKey', column: 'controlPcbId' },
      { table: 'formerKey', column: 'controlPcbId' },
      { table: 'boardContact', column: 'controlPcbId' },
    ],
    used: sql`exists (select from "boardState" "s" where "s"."controlPcbId" = "t"."id" and "s"."lastPacketAt" is not null)`,
  },
  client: {
    own: [
      { table: 'link', column: 'userId' },
      { table: 'invitation', column: 'userId', where: `"kind" = 'ACCOUNT'` },
    ],
    used: canSignIn(sql`"t"."id"`),
  },
}

const factsOf = (target: string): Facts => facts[target] ?? plainFacts

/** A referenced row; `by`: the row of the same table that references it. */
type Use = { id: string; by: string | null }

/** Rows that are referenced elsewhere. */
async function usesOfRows({ catalog }: Engine, resourceName: string, rows: readonly JobRow[], work: Work) {
  const resource = catalog.definitions.get(resourceName)
  const found: Use[] = []
  for (const reference of resource ? columnsReferringTo(catalog, resource) : []) {
    const { table, column } = reference
    const own = factsOf(resourceName).own.find((one) => one.table === table && one.column === column)
    if (own && !own.where) continue
    const isTree = resource && table === tableOf(resource)
    const other = own?.where ? sql.raw(`not (${own.where})`) : sql`true`
    const hits = await rowsOf(
      work.db,
      sql<Use>`select distinct "named"."id", ${isTree ? sql.ref(`${table}.id`) : sql`null`} as "by" from ${sql.table(table)}, lateral ${referencedIds(reference)} as "named"("id")
        where "named"."id" = any(${idsOf(rows)}::text[]) and ${other}`,
    )
    found.push(...hits)
  }
  return found
}

/** Rows of a tree that reference one another go together; one that stays keeps those above it. */
function keepUsed(reasons: Map<string, KeptReason | undefined>, uses: readonly Use[]): void {
  const isGoing = (id: string | null) => id !== null && reasons.has(id) && reasons.get(id) === undefined
  for (;;) {
    const kept = uses.filter(({ id, by }) => isGoing(id) && !isGoing(by))
    if (kept.length === 0) return
    for (const { id } of kept) reasons.set(id, 'in-use')
  }
}

type Found = { id: string; version: number; used: boolean; record: Row }

async function undoRecords(engine: Engine, target: string, rows: readonly JobRow[], work: Work): Promise<Undone> {
  const { catalog } = engine
  const resource = catalog.definitions.get(target)
  if (!resource) throw problem('not-found')
  const { own, used } = factsOf(target)
  const table = sql.table(tableOf(resource))
  const found = await rowsOf(
    work.db,
    sql<Found>`select "t"."id", "t"."version", ${used} as "used", row_to_json("t".*) as "record" from ${table} "t"
      where "t"."id" = any(${idsOf(rows)}::text[]) order by "t"."id" for update of "t"`,
  )
  const byId = new Map(found.map((one) => [one.id, one]))
  const uses = await usesOfRows(engine, target, rows, work)
  const reasonOf = ({ entityId, version }: JobRow): KeptReason | undefined => {
    const one = byId.get(entityId)
    if (!one) return 'gone'
    if (one.version !== version) return 'changed'
    return one.used ? 'used' : undefined
  }
  const reasonsById = new Map(rows.map((row) => [row.entityId, reasonOf(row)]))
  keepUsed(reasonsById, uses)
  const judged = rows.map((row) => ({ row, reason: reasonsById.get(row.entityId) }))
  const going = judged.filter(({ reason }) => reason === undefined).map(({ row }) => row)
  for (const { table: other, column } of own)
    await sql`delete from ${sql.table(other)} where ${sql.id(column)} = any(${idsOf(going)}::text[])`.execute(work.db)
  await sql`delete from ${table} where "id" = any(${idsOf(going)}::text[])`.execute(work.db)
  const fields = tableFields(catalog, resource)
  for (const { entityId } of going) {
    const before = byId.get(entityId)?.record ?? {}
    await auditChange(work, { action: 'delete', resource, fields, before })
    announceChange(catalog, { resource, record: { ...before, version: Number(before.version) + 1 }, type: 'deleted' }, work)
  }
  return { removed: going.length, kept: judged.flatMap(({ row, reason }) => (reason ? [{ row, reason }] : [])) }
}

/** `announced`: changes told to open consoles so far. `isBegun`: this call has undone a batch before. */
type Run = { announced: Announced; isBegun: boolean }

type Batch = { id: string; entityIds: readonly string[] }

/** Undoes these rows and records how far it has come, all in one transaction. True when none is left. */
async function undoBatch(engine: Engine, batch: Batch, { announced, isBegun }: Run, work: Work): Promise<boolean> {
  const { id } = batch
  await lockImports(work.db)
  await interruptLostJobs(work.db)
  const job = await lockedJob(work.db, id)
  if (!job) throw problem('not-found')
  if (job.state === 'RUNNING') throw fillingProblem('import.running')
  // Another call, made when this one had lost its client, has undone the rest.
  if (job.undoneAt && isBegun) return true
  if (job.undoneAt) throw fillingProblem('import.already-undone')
  const rows = await rowsToUndo(work.db, id, batch.entityIds)
  // Another call has undone them, and leaves the rest to both.
  if (rows.length === 0 && batch.entityIds.length > 0) return false
  const made = rows.filter(({ before }) => before === null)
  const bulk = bulkWork(work, announced)
  // First, because a changed record may reference a created one.
  const first = await restoreRecords(engine, job.target, rows, bulk.work)
  const undoing = job.target === pairing ? undoPairings(rows, bulk.work) : undoRecords(engine, job.target, made, bulk.work)
  const { removed, kept: left } = await undoing
  // Once more, because a created one may have had the former value of a changed one.
  const waiting = removed > 0 ? first.kept.filter(({ reason }) => reason === 'taken') : []
  const rowsWaiting = waiting.map(({ row }) => row)
  const second = await restoreRecords(engine, job.target, rowsWaiting, bulk.work)
  await bulk.flush()
  const restored = first.restored + second.restored
  const changed = [...first.kept.filter((one) => !waiting.includes(one)), ...second.kept]
  const kept = [...changed, ...left].map((one) => ({ row: one.row, reason: keptText(one, work.language) }))
  const progress = await addUndone(work.db, id, { rows, removed, restored, kept })
  // With each batch: of an undo that is never asked for again the last entry says how far it came.
  await work.audit({
    action: 'undo-import',
    entityType: 'import-job',
    entityId: id,
    code: job.fileName,
    after: { removed: progress.removed, restored: progress.restored, kept: progress.kept, left: progress.left },
  })
  if (progress.left > 0) return false
  await endUndo(work.db, id, work.now)
  return true
}

/**
 * Undoes an import for records unchanged since: created ones are deleted, changed ones restored; in batches, so that others are
 * served meanwhile. One that was cut off goes on when it is asked for again. Throws 404 for an unknown job and 409 for one
 * already undone.
 */
export async function undoJob(engine: Engine, request: FastifyRequest, { id, signal }: { id: string; signal: AbortSignal }) {
  const undo: Run = { announced: { count: 0 }, isBegun: false }
  for (;;) {
    const batches = await withoutTransaction(engine, request, (work) => undoOrder(engine, id, work))
    for (const entityIds of batches) {
      if (await transact(engine, request, (work) => undoBatch(engine, { id, entityIds }, undo, work))) return
      undo.isBegun = true
      if (signal.aborted) throw fillingProblem('undo.interrupted')
    }
  }
}
