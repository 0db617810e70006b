import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type ImportReport, importReportSchema } from '#schema/wire/import-report.ts'
import { callerOf } from '#server/base/caller.ts'
import { languageOf, Problem } from '#server/base/problems.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { idempotencyKeyOf, onlyOnce, settleKey } from '#server/engine/http/idempotency.ts'
import { freshCaller } from '#server/engine/records/fresh-confirmation.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { type Engine, transact, withoutTransaction } from '#server/engine/records/work.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import type { Announced } from './bulk-work.ts'
import { makeImportKeys, presentIds } from './import-keys.ts'
import {
  addProgress,
  beat,
  beginJob,
  endJob,
  forgetJob,
  interruptJob,
  interruptLostJobs,
  isImportRunning,
  resumeJob,
  runnerOfJob,
} from './job-progress.ts'
import { lockImports } from './job-store.ts'
import type { Plan } from './outcome.ts'
import { plannerOf } from './planner.ts'
import { fillingProblem } from './problems.ts'
import { type BadRow, badRows, importRefused, isBad, reportOf } from './report-import.ts'
import type { ImportAsked } from './run-import.ts'
import type { SourceRow } from './source-rows.ts'
import { inBatches, writeOrder } from './unique/freed-values.ts'

/** The planner of the database learns of new rows after the fifth batch and then now and then. */
const batchesBetweenStatistics = 20
const beatMs = 4_000
const [pollMs, longestWaitMs] = [200, 110_000]

type Started = { jobId: string } | { report: ImportReport }

/** Starts the job or lets an interrupted one go on. Answers the report where the same call came before; throws `Busy`. */
async function start(request: FastifyRequest, asked: ImportAsked, engine: Engine, work: Work): Promise<Started> {
  const { target, fileName, table, content } = asked
  await lockImports(work.db)
  await interruptLostJobs(work.db)
  const isBusy = await isImportRunning(work.db)
  if (asked.keys) await freshCaller(engine, work)
  const begin = async () => {
    if (isBusy) throw new Busy()
    return { status: 200 as const, body: { jobId: await beginJob(work, { target, fileName, total: table.rows.length }) } }
  }
  // An answer with device keys is never kept, so it is not given again.
  const { body } = asked.keys ? await begin() : await onlyOnce(work, { request, content }, begin)
  const report = importReportSchema.safeParse(body)
  if (report.success) return { report: report.data }
  const jobId = String(Reflect.get(Object(body), 'jobId'))
  const job = await runnerOfJob(work.db, jobId)
  if (job?.runner === work.requestId) return { jobId }
  if (isBusy) throw new Busy()
  if (await resumeJob(work, jobId)) return { jobId }
  throw fillingProblem('import.already-undone')
}

/** Takes back what a start has done while another import runs. */
class Busy extends Error {}

async function started(engine: Engine, request: FastifyRequest, asked: ImportAsked): Promise<Started> {
  const lastMs = performance.now() + longestWaitMs
  for (;;) {
    try {
      return await transact(engine, request, (work) => start(request, asked, engine, work))
    } catch (error) {
      if (!(error instanceof Busy)) throw error
    }
    if (performance.now() > lastMs) throw fillingProblem('import.running')
    await sleep(pollMs, undefined, { signal: asked.signal }).catch(() => {
      throw fillingProblem('import.interrupted')
    })
  }
}

const mostTries = 3

/** A row that another request has made meanwhile is seen by the next look, and a deadlock has left nothing of the batch. */
const isPassing = (error: unknown): boolean =>
  error instanceof Problem ? error.status === 409 || error.code === 'busy' : databaseProblem(error)?.code === 'busy'

/** Runs a transaction again that another request has interrupted. */
async function persisting<T>(task: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await task()
    } catch (error) {
      if (tries === mostTries || !isPassing(error)) throw error
    }
  }
}

/** Rows in the order of writing, in batches; rows that exchange unique values are written together. */
function batchesOf(rows: readonly SourceRow[], freed: Plan['freed'], rowsOfBatch: number): SourceRow[][] {
  const byRow = new Map(rows.map((source) => [source.row, source]))
  const among = (freed ?? []).filter(({ row, by }) => byRow.has(row) && byRow.has(by))
  const units = writeOrder([...byRow.keys()], among).map((unit) => unit.flatMap((row) => byRow.get(row) ?? []))
  return inBatches(units, rowsOfBatch)
}

type Batch = { bad: readonly BadRow[]; ids: readonly string[] }

class Batches {
  readonly bad: BadRow[]
  /** Records of the file, new and known ones. */
  readonly ids: string[]
  readonly announced: Announced = { count: 0 }
  readonly #engine: Engine
  readonly #request: FastifyRequest
  readonly #asked: ImportAsked
  readonly #jobId: string
  readonly #freed: Plan['freed']

  constructor(
    engine: Engine,
    request: FastifyRequest,
    { asked, jobId, plan }: { asked: ImportAsked; jobId: string; plan: Plan },
  ) {
    this.#engine = engine
    this.#request = request
    this.#asked = asked
    this.#jobId = jobId
    this.#freed = plan.freed
    this.bad = plan.outcomes.filter(isBad)
    this.ids = presentIds(plan.outcomes)
  }

  /** Looks at the rows once more: others may have changed what they are about since the whole file was found good. */
  async #write(rows: readonly SourceRow[], done: number): Promise<Batch> {
    const { target, update, table } = this.#asked
    return transact(this.#engine, this.#request, async (work) => {
      const own = { engine: this.#engine, work, update, table: { ...table, rows }, announced: this.announced }
      const plan = await plannerOf(target).plan(own)
      const written = await plan.apply()
      const runner = work.requestId
      if (!(await addProgress(work.db, { id: this.#jobId, runner, done, written }))) throw fillingProblem('import.interrupted')
      return { bad: plan.outcomes.filter(isBad), ids: [...presentIds(plan.outcomes), ...written.map(({ id }) => id)] }
    })
  }

  async #renewStatistics(): Promise<void> {
    const { database } = this.#engine.context
    const resource = this.#engine.catalog.definitions.get(this.#asked.target)
    if (resource) await sql`analyze ${sql.table(tableOf(resource))}`.execute(database.kysely)
  }

  async writeAll(rows: readonly SourceRow[], total: number): Promise<void> {
    const batches = batchesOf(rows, this.#freed, plannerOf(this.#asked.target).rowsOfBatch)
    let done = 0
    for (const [index, batch] of batches.entries()) {
      if (this.#asked.signal.aborted) throw fillingProblem('import.interrupted')
      // A row above may have waited for one below: progress is the row that has come furthest.
      done = index === batches.length - 1 ? total : Math.max(done, (batch.at(-1)?.row ?? 1) - 1)
      const { bad, ids } = await persisting(() => this.#write(batch, done))
      this.bad.push(...bad)
      this.ids.push(...ids)
      if (index % batchesBetweenStatistics === 4) await this.#renewStatistics()
    }
  }
}

/** Says every few seconds that the process lives while `task` runs. */
async function beating<T>({ context }: Engine, jobId: string, runner: string, task: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    beat(context.database.kysely, jobId, runner).catch((error: unknown) => context.log.warn(error, 'an import could not beat'))
  }, beatMs)
  try {
    return await task()
  } finally {
    clearInterval(timer)
  }
}

async function bringIn(engine: Engine, request: FastifyRequest, asked: ImportAsked, jobId: string): Promise<ImportReport> {
  const { target, table, update } = asked
  const language = languageOf(request)
  const plan = await withoutTransaction(engine, request, (work) => plannerOf(target).plan({ table, update, engine, work }))
  const foreseen = reportOf(plan, asked, language)
  if (foreseen.failed > 0 && !asked.skipInvalid) throw importRefused(foreseen)
  const good = new Set(plan.outcomes.flatMap(({ row, kind }) => (kind === 'create' || kind === 'update' ? [row] : [])))
  const batches = new Batches(engine, request, { asked, jobId, plan })
  await batches.writeAll(
    table.rows.filter(({ row }) => good.has(row)),
    table.rows.length,
  )
  const { bad, ids, announced } = batches
  bad.sort((one, other) => one.row - other.row)
  const end = async (work: Work): Promise<ImportReport> => {
    const ended = await endJob(work, { id: jobId, failed: bad.length })
    if (!ended) throw fillingProblem('import.interrupted')
    const { created, updated, skipped } = ended
    const report = { ...foreseen, ...badRows(bad, table, language), created, updated, skipped, jobId }
    // A caller who has left reads no answer: the same file sent again gets the keys.
    if (asked.keys) return { ...report, keys: asked.hasLeft() ? [] : await makeImportKeys([...new Set(ids)], work, announced) }
    const key = idempotencyKeyOf(request)
    if (key) await settleKey(work.db, work.caller.userId, key, report)
    return report
  }
  return persisting(() => transact(engine, request, end))
}

/**
 * Writes a file in batches, each in a transaction of its own. All rows are looked at before the first is written: a file with bad
 * rows is refused as a whole. A row that only goes bad while the file is written is left out and told.
 */
export async function importInBatches(engine: Engine, request: FastifyRequest, asked: ImportAsked): Promise<ImportReport> {
  const found = await started(engine, request, asked)
  if ('report' in found) return found.report
  const { jobId } = found
  try {
    return await beating(engine, jobId, request.id, () => bringIn(engine, request, asked, jobId))
  } catch (error) {
    const isRefused = error instanceof Problem && error.status < 500
    const { userId } = callerOf(request)
    await inTransaction(engine.context.database, async (db) => {
      const key = asked.keys ? undefined : idempotencyKeyOf(request)
      const wasForgotten = isRefused && (await forgetJob(db, jobId, { runner: request.id, userId, key }))
      if (!wasForgotten) await interruptJob(db, jobId, request.id)
    }).catch((failed: unknown) => request.log.error(failed, 'an import could not be ended'))
    throw error
  }
}
