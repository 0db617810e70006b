import type { CsvFault, CsvTable } from '#schema/format/read-csv.ts'
import { readCsv } from '#schema/format/read-csv.ts'

const mostBytes = 5 * 1024 * 1024

export type ReadFault = { code: CsvFault['code'] | 'tooLarge' | 'notUtf8'; line: number }
export type ReadFile = { file: File; table: CsvTable }

/** Reads a chosen file for its header and sample values; the server parses it itself. */
export async function readFile(file: File): Promise<ReadFile | ReadFault> {
  if (file.size > mostBytes) return { code: 'tooLarge', line: 0 }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    const table = readCsv(text)
    return 'code' in table ? table : { file, table }
  } catch {
    return { code: 'notUtf8', line: 0 }
  }
}
