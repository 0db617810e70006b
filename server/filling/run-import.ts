import type { FastifyRequest } from 'fastify'
import { pairing } from '#schema/import-columns.ts'
import { type ImportReport, importReportSchema } from '#schema/wire/import-report.ts'
import type { Language } from '#schema/words.ts'
import { languageOf } from '#server/base/problems.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { type Engine, look, run } from '#server/engine/records/work.ts'
import { importInBatches } from './import-in-batches.ts'
import { addJob, lockImports } from './job-store.ts'
import { planPairings } from './plan-pairings.ts'
import { planRecords } from './plan-records.ts'
import { importRefused, reportOf } from './report-import.ts'
import type { SourceTable } from './source-rows.ts'

export type ImportAsked = {
  target: string
  table: SourceTable
  fileName: string
  dryRun: boolean
  update: boolean
  skipInvalid: boolean
  /** Creates device keys for new boards. */
  keys: boolean
  /** Represents file and options in the idempotency check. */
  content: unknown
  /** The server ends: no further batch begins. */
  signal: AbortSignal
}

/** Takes everything back that was done to find out what would be. */
class TakenBack extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('dry run')
    this.report = report
  }
}

async function attachAll(engine: Engine, asked: ImportAsked, language: Language, work: Work): Promise<ImportReport> {
  // One file after the other: each looks up what is there before it writes.
  await lockImports(work.db)
  const plan = await planPairings({ table: asked.table, update: asked.update, engine, work })
  const report = reportOf(plan, asked, language)
  if (asked.dryRun) throw new TakenBack(report)
  if (report.failed > 0 && !asked.skipInvalid) throw importRefused(report)
  const jobId = await addJob(work, { report, fileName: asked.fileName, written: await plan.apply() })
  return { ...report, jobId }
}

/** Each pairing depends on those before it, so the whole file is one transaction. */
async function importPairings(engine: Engine, request: FastifyRequest, asked: ImportAsked): Promise<ImportReport> {
  const act = async (work: Work) => ({ status: 200 as const, body: await attachAll(engine, asked, languageOf(request), work) })
  try {
    const { body } = await run(engine, request, (work) => onlyOnce(work, { request, content: asked.content }, () => act(work)))
    return importReportSchema.parse(body)
  } catch (error) {
    if (error instanceof TakenBack) return error.report
    throw error
  }
}

/**
 * Brings a file in, or finds out what that would do. Throws 400 with every fault, and writes nothing, where rows are wrong and
 * `skipInvalid` was not asked for.
 */
export async function runImport(engine: Engine, request: FastifyRequest, asked: ImportAsked): Promise<ImportReport> {
  const { target, table, update } = asked
  if (target === pairing) return importPairings(engine, request, asked)
  if (!asked.dryRun) return importInBatches(engine, request, asked)
  const plan = await look(engine, request, (work) => planRecords(target)({ table, update, engine, work }))
  return reportOf(plan, asked, languageOf(request))
}
