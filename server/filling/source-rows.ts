import { setImmediate as turn } from 'node:timers/promises'
import { uuidv7 } from 'uuidv7'
import { readCsvInSteps } from '#schema/format/read-csv.ts'
import { guessColumns, type ImportColumn } from '#schema/import-columns.ts'
import { filled, type Label } from '#schema/words.ts'
import { invalid, type ShownFault } from '#server/base/problems.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { cellReader } from './parse-cell.ts'
import { fillingProblem } from './problems.ts'

export const mostRows = 20_000
export const mostBytes = 5 * 1024 * 1024
const mostColumns = 200
/** Rows between which others are served: a whole file of them is a tenth of a second. */
const rowsAtOnce = 500

/** A row of a file: values by field, and the raw cells. `row` is 1-based with the header; `id`: of the record that it makes. */
export type SourceRow = { row: number; id: string; values: Row; cells: ReadonlyMap<string, string>; isRagged: boolean }
/** `ignored`: headers of unmapped columns. */
export type SourceTable = { columns: readonly ImportColumn[]; rows: readonly SourceRow[]; ignored: readonly string[] }

/** Columns that a file may fill, and other headers that are allowed. */
type Fillable = { columns: readonly ImportColumn[]; isOnlyShown: (head: string) => boolean }

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw fillingProblem('csv.encoding')
  }
}

async function tableIn(text: string) {
  const steps = readCsvInSteps(text, mostRows)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await turn()
  }
}

const inFile = (path: string, text: Label): ShownFault => ({ path, code: 'rule', text })

/** Field of each column; undefined for a skipped one. Throws 400 for an unknown header. */
function chosen({ columns, isOnlyShown }: Fillable, head: readonly string[], map: string | undefined) {
  const byPath = new Map(columns.map((column) => [column.path, column]))
  const paths = map === undefined ? guessColumns(columns, head) : head.map((_, index) => map.split(',')[index] || undefined)
  const unknown = paths.flatMap((path, index) => {
    if (path !== undefined && byPath.has(path)) return []
    if (path === undefined && (map !== undefined || isOnlyShown(head[index] ?? ''))) return []
    return [path ?? head[index] ?? '']
  })
  const twice = paths.flatMap((path, index) => (path !== undefined && paths.indexOf(path) !== index ? [path] : []))
  const faults = [
    ...unknown.map((name) =>
      inFile('map', filled(['The column “{name}” fills nothing', 'Столбцу «{name}» ничего не соответствует'], { name })),
    ),
    ...twice.map((name) =>
      inFile('map', filled(['“{name}” is filled by two columns', '«{name}» задано двумя столбцами'], { name })),
    ),
  ]
  if (paths.every((path) => path === undefined))
    faults.push(inFile('map', ['No column is chosen', 'Не выбран ни один столбец']))
  if (faults.length > 0) throw invalid(faults)
  return paths.map((path) => (path === undefined ? undefined : byPath.get(path)))
}

/** Sets a value at a path, creating its group. */
export function put(values: Row, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    values[name] = value
    return
  }
  const inner: Row = { ...Object(values[name]) }
  put(inner, rest.join('.'), value)
  values[name] = inner
}

type Fill = { path: string; read: (cell: string) => unknown }
type Cells = { fills: readonly (Fill | undefined)[]; width: number }

/** The values of a row; undefined for an empty one. */
function readRow(texts: readonly string[], index: number, { fills, width }: Cells): SourceRow | undefined {
  if (texts.every((text) => text.trim() === '')) return undefined
  const values: Row = {}
  const cells = new Map<string, string>()
  for (const [place, fill] of fills.entries()) {
    const text = texts[place] ?? ''
    if (!fill) continue
    cells.set(fill.path, text)
    const value = fill.read(text)
    if (value !== undefined) put(values, fill.path, value)
  }
  return { row: index + 2, id: uuidv7(), values, cells, isRagged: texts.length !== width }
}

/** Reads a file into rows of values. Throws 400 for one that is no table, has strange columns or more than twenty thousand rows. */
export async function readSource(body: Buffer, fillable: Fillable, map: string | undefined): Promise<SourceTable> {
  const table = await tableIn(textOf(body))
  if ('code' in table) throw fillingProblem(`csv.${table.code}`, { values: { line: table.line } })
  const { head, rows, separator } = table
  if (rows.length > mostRows || head.length > mostColumns) {
    throw fillingProblem('csv.too-large', { values: { maxRows: mostRows, maxColumns: mostColumns } })
  }
  const columns = chosen(fillable, head, map)
  const decimalComma = separator !== ','
  const fills = columns.map((column) => column && { path: column.path, read: cellReader(column.field, decimalComma) })
  const cells = { fills, width: head.length }
  const read: SourceRow[] = []
  for (const [index, texts] of rows.entries()) {
    if (index % rowsAtOnce === 0) await turn()
    const row = readRow(texts, index, cells)
    if (row) read.push(row)
  }
  const ignored = head.filter((_, place) => !columns[place])
  return { columns: columns.filter((column) => column !== undefined), rows: read, ignored }
}
