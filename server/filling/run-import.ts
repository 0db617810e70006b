import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type ImportColumn, pairing } from '#schema/import-columns.ts'
import { type ImportFault, type ImportReport, importReportSchema } from '#schema/wire/import-report.ts'
import { filled, type Language, say } from '#schema/words.ts'
import { invalid, languageOf } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import { onlyOnce } from '#server/engine/http/idempotency.ts'
import { freshCaller } from '#server/engine/records/fresh-confirmation.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { type Engine, run } from '#server/engine/records/work.ts'
import { makeDeviceKeys } from '#server/fleet/board/device-key.ts'
import { addJob } from './job-store.ts'
import type { Outcome, Plan, Planner, RowFault, Written } from './outcome.ts'
import { planPairings } from './plan-pairings.ts'
import { planRecords } from './plan-records.ts'
import type { SourceTable } from './source-rows.ts'

const mostFaults = 1_000
/** As many faults as a refusal names: it is read by a person, who has had the dry run. */
const mostRefused = 100

export type ImportAsked = {
  target: string
  table: SourceTable
  fileName: string
  dryRun: boolean
  update: boolean
  skipInvalid: boolean
  /** New boards get device keys. */
  keys: boolean
  /** Stands for the file and its options, to know the same import when it is sent again. */
  content: unknown
}

const plannerOf = (target: string): Planner => (target === pairing ? planPairings : planRecords(target))

/** Takes everything back that was done to find out what would be. */
class TakenBack extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport) {
    super('dry run')
    this.report = report
  }
}

const columnAt = (columns: readonly ImportColumn[], path: string) =>
  columns.find((column) => column.path === path) ?? columns.find((column) => path !== '' && column.path.startsWith(`${path}.`))

/** A fault of a row with the cell that it is about. */
function located(row: number, found: RowFault, { columns, rows }: SourceTable, language: Language): ImportFault {
  const column = columnAt(columns, found.path)
  const cells = rows.find((source) => source.row === row)?.cells
  return {
    row,
    column: found.path || null,
    label: column ? say(column.label, language) : (found.label ?? null),
    value: column ? (cells?.get(column.path)?.slice(0, 200) ?? null) : null,
    message: found.message,
  }
}

const isBad = (outcome: Outcome): outcome is Outcome & { kind: 'bad' } => outcome.kind === 'bad'

function reportOf({ outcomes, letters }: Plan, asked: ImportAsked, language: Language): ImportReport {
  const bad = outcomes.filter(isBad)
  const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
  const some = bad.flatMap(({ row, faults }) => faults.map((found) => ({ row, found }))).slice(0, mostFaults)
  return {
    target: asked.target,
    dryRun: asked.dryRun,
    total: outcomes.length,
    created: count('create'),
    updated: count('update'),
    skipped: count('skip'),
    failed: bad.length,
    letters,
    ignored: [...asked.table.ignored],
    faults: some.map(({ row, found }) => located(row, found, asked.table, language)),
    rejects: bad.map(({ row, faults }) => ({
      row,
      reason: faults.map(({ label, message }) => (label ? `${label}: ${message}` : message)).join('; '),
    })),
  }
}

/** All or nothing: every fault with its row and column. */
const refuse = ({ faults }: ImportReport) =>
  invalid(
    faults.slice(0, mostRefused).map(({ row, column, label, message }) => ({
      path: [row, column ?? ''].join('.'),
      code: 'rule',
      label: label
        ? filled(['Row {row}, {label}', 'Строка {row}, {label}'], { row, label })
        : filled(['Row {row}', 'Строка {row}'], { row }),
      text: [message, message],
    })),
  )

async function inOneGo(engine: Engine, asked: ImportAsked, language: Language, work: Work): Promise<ImportReport> {
  const { target, table, update, dryRun, skipInvalid } = asked
  // One file after the other: each looks up what is there before it writes.
  await sql`select pg_advisory_xact_lock(727104)`.execute(work.db)
  const plan = await plannerOf(target)({ table, update, engine, work })
  const report = reportOf(plan, asked, language)
  if (dryRun) throw new TakenBack(report)
  if (report.failed > 0 && !skipInvalid) throw refuse(report)
  const written = await plan.apply()
  const jobId = await addJob(work, { report, fileName: asked.fileName, written })
  const made = written.filter(({ before }) => before === undefined)
  return asked.keys ? { ...report, jobId, keys: await keysOf(engine, made, work) } : { ...report, jobId }
}

/** Device keys of new boards; the audit log says that they were made, and never what they are. */
async function keysOf(engine: Engine, made: readonly Written[], work: Work): Promise<ImportReport['keys']> {
  await freshCaller(engine, work)
  const { db, now, caller, audit } = work
  const ids = made.map(({ id }) => id)
  const keys = await makeDeviceKeys(db, ids, { now, by: caller.userId })
  const boards = await rowsOf(
    db,
    sql<{ id: string; code: string; uid: string }>`select "id", "code", "uid" from "control_pcb"
      where "id" = any(${sql.val(ids)}::text[]) order by "code"`,
  )
  for (const { id, code } of boards) await audit({ action: 'device-key', entityType: 'control-pcb', entityId: id, code })
  return boards.map(({ id, code, uid }) => ({ code, uid, deviceKey: keys.get(id) ?? '' }))
}

/** An answer with device keys is never kept, so it is not given again. */
async function once(engine: Engine, request: FastifyRequest, asked: ImportAsked, work: Work): Promise<ImportReport> {
  const act = () => inOneGo(engine, asked, languageOf(request), work)
  if (asked.keys) return act()
  const { body } = await onlyOnce(work, { request, content: asked.content }, async () => ({
    status: 200,
    body: await act(),
  }))
  return importReportSchema.parse(body)
}

/**
 * Brings a file in, in one transaction, or finds out what that would do. Throws 400 with every fault where rows are wrong and
 * `skipInvalid` was not asked for.
 */
export async function runImport(engine: Engine, request: FastifyRequest, asked: ImportAsked): Promise<ImportReport> {
  try {
    return await run(engine, request, (work) => once(engine, request, asked, work))
  } catch (error) {
    if (error instanceof TakenBack) return error.report
    throw error
  }
}
