import type { CsvTable } from '#schema/format/read-csv.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'

/** Spreadsheets read these as the start of a formula; a plain negative number is none. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const number = /^-\d+([.,]\d+)?$/

function cell(text: string, separator: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  const isPlain = !safe.includes(separator) && !/["\r\n]|^\s|\s$/.test(safe)
  return isPlain ? safe : `"${safe.replaceAll('"', '""')}"`
}

/** A table as a file that spreadsheets open: with a byte order mark, in the separator of the source. */
export const tableFile = (rows: readonly (readonly string[])[], separator: string): Blob =>
  new Blob([`\uFEFF${rows.map((row) => `${row.map((text) => cell(text, separator)).join(separator)}\r\n`).join('')}`], {
    type: 'text/csv;charset=utf-8',
  })

/** The rows that were not taken, as they stood in the file, each with the reason in a column of its own. */
export function rejectsFile(table: CsvTable, { rejects }: ImportReport, reasonHead: string): Blob {
  const width = table.head.length
  const rows = rejects.map(({ row, reason }) => {
    const cells = table.rows[row - 2] ?? []
    return [...Array.from({ length: width }, (_, index) => cells[index] ?? ''), reason]
  })
  return tableFile([[...table.head, reasonHead], ...rows], table.separator)
}
