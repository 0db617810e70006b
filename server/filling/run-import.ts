import type { FastifyRequest } from 'fastify'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { callerOf } from '#server/base/caller.ts'
import { languageOf } from '#server/base/problems.ts'
import { type Engine, withoutTransaction } from '#server/engine/records/work.ts'
import { importInBatches } from './import-in-batches.ts'
import { keysToMake } from './import-keys.ts'
import { plannerOf } from './planner.ts'
import { reportOf } from './report-import.ts'
import type { SourceTable } from './source-rows.ts'
import { refuseUnknown } from './unique/known-records.ts'

export type ImportAsked = {
  target: string
  table: SourceTable
  fileName: string
  dryRun: boolean
  update: boolean
  skipInvalid: boolean
  /** Creates device keys for the boards that have none. */
  keys: boolean
  /** Represents file and options in the idempotency check. */
  content: unknown
  /** The server ends: no further batch begins. */
  signal: AbortSignal
  /** The caller's connection is closed. */
  hasLeft: () => boolean
}

/**
 * Imports a file, or with `dryRun` reports what that would do. Throws 400 with every fault and writes nothing when rows are invalid
 * and `skipInvalid` is false.
 */
export async function runImport(engine: Engine, request: FastifyRequest, asked: ImportAsked): Promise<ImportReport> {
  const { target, table, update } = asked
  if (update) refuseUnknown(engine, asked, callerOf(request).role)
  if (!asked.dryRun) return importInBatches(engine, request, asked)
  const plan = await withoutTransaction(engine, request, (work) => plannerOf(target).plan({ table, update, engine, work }))
  const report = reportOf(plan, asked, languageOf(request))
  return asked.keys ? { ...report, newKeys: await keysToMake(engine.context.database.kysely, plan.outcomes) } : report
}
