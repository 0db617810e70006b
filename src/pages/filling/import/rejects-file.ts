import type { CsvTable } from '#schema/format/read-csv.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { tableFile } from '#ui/input/table-file.ts'

/** The rows that were not taken, as they stood in the file, each with the reason in a column of its own. */
export function rejectsFile(table: CsvTable, { rejects }: ImportReport, reasonHead: string): Blob {
  const width = table.head.length
  const rows = rejects.map(({ row, reason }) => {
    const cells = table.rows[row - 2] ?? []
    return [...Array.from({ length: width }, (_, index) => cells[index] ?? ''), reason]
  })
  return tableFile([[...table.head, reasonHead], ...rows], table.separator)
}
