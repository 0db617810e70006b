import type { CsvTable } from '#schema/format/read-csv.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { tableFile } from '#ui/input/table-file.ts'

/** Rejected rows as in the file, each with its reason in an additional column. */
export function rejectsFile(table: CsvTable, { rejects }: ImportReport, reasonHead: string): Blob {
  const width = table.head.length
  const rows = rejects.map(({ row, reason }) => {
    const cells = table.rows[row - 2] ?? []
    return [...Array.from({ length: width }, (_, index) => cells[index] ?? ''), reason]
  })
  return tableFile([[...table.head, reasonHead], ...rows], table.separator)
}
