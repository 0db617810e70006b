import type { ImportColumn } from '#schema/import-columns.ts'
import type { ImportFault, ImportReport } from '#schema/wire/import-report.ts'
import { filled, type Language, say } from '#schema/words.ts'
import { invalid } from '#server/base/problems.ts'
import type { Outcome, Plan, RowFault } from './outcome.ts'
import type { SourceRow, SourceTable } from './source-rows.ts'

const mostFaults = 1_000
/** As many faults as a refusal names: it is read by a person, who has had the dry run. */
const mostRefused = 100

export type BadRow = Outcome & { kind: 'bad' }
type Asked = { target: string; table: SourceTable; dryRun: boolean }

const columnAt = (columns: readonly ImportColumn[], path: string) =>
  columns.find((column) => column.path === path) ?? columns.find((column) => path !== '' && column.path.startsWith(`${path}.`))

/** A fault of a row with the cell that it is about. */
function located(source: SourceRow | undefined, found: RowFault, columns: readonly ImportColumn[], language: Language) {
  const column = columnAt(columns, found.path)
  return {
    column: found.path || null,
    label: column ? say(column.label, language) : (found.label ?? null),
    value: column ? (source?.cells.get(column.path)?.slice(0, 200) ?? null) : null,
    message: found.message,
  }
}

/** The rows that a report says are bad, as it tells them. */
export function badRows(bad: readonly BadRow[], { columns, rows }: SourceTable, language: Language) {
  const sources = new Map(rows.map((source) => [source.row, source]))
  const faults: ImportFault[] = []
  for (const { row, faults: found } of bad)
    for (const one of found)
      if (faults.length < mostFaults) faults.push({ row, ...located(sources.get(row), one, columns, language) })
  const rejects = bad.map(({ row, faults: found }) => ({
    row,
    reason: found.map(({ label, message }) => (label ? `${label}: ${message}` : message)).join('; '),
  }))
  return { failed: bad.length, faults, rejects }
}

export const isBad = (outcome: Outcome): outcome is BadRow => outcome.kind === 'bad'

export function reportOf({ outcomes, letters }: Plan, asked: Asked, language: Language): ImportReport {
  const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
  return {
    target: asked.target,
    dryRun: asked.dryRun,
    total: outcomes.length,
    created: count('create'),
    updated: count('update'),
    skipped: count('skip'),
    letters,
    ignored: [...asked.table.ignored],
    ...badRows(outcomes.filter(isBad), asked.table, language),
  }
}

/** All or nothing: every fault with its row and column. */
export const importRefused = ({ faults }: ImportReport) =>
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
