import {
  type Definitions,
  fieldAt,
  fieldOf,
  journalPartOf,
  listOf,
  summaryKey,
  summaryOf,
  titleOf,
} from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { journalLabel } from '#schema/journal/journal-words.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { type Language, say } from '#schema/words.ts'
import { invalid } from '#server/base/problems.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { pointsElsewhere } from '#server/engine/sql/field-sql.ts'
import { plainText } from './csv.ts'
import { cellOf, headOf } from './csv-cells.ts'

/** `reads`: the fields of a row that its cell is made of. */
export type CsvColumn = { path: string; head: string; reads: readonly string[]; cell: (row: Row) => string }

type Choosing = {
  resource: AnyResource
  definitions: Definitions
  /** The fields in the rows of the caller's list. */
  fields: Fields
  readable: (path: string) => boolean
  language: Language
}

const maxColumns = 200

const isText = (value: unknown): value is string => typeof value === 'string'

/** The summary beside a reference; rows carry it beside the ids. */
function summaryIn(row: Row, path: string, field: Field, definitions: Definitions): string | undefined {
  if (!pointsElsewhere(field)) return undefined
  const steps = path.split('.')
  const beside = valueAt(row, [...steps.slice(0, -1), summaryKey(steps.at(-1) ?? '')].join('.'))
  const target = definitions.get(field.to)
  const names = target ? [titleOf(target), ...summaryOf(target)] : []
  const titles = [beside].flat().map((summary) => names.map((name) => valueAt(summary, name)).find(isText))
  return titles.every(isText) ? titles.join('; ') : undefined
}

function columnFor(path: string, field: Field, { resource, definitions, language }: Choosing): CsvColumn {
  const { journal } = resource
  const part = journalPartOf(resource, path)
  const head = headOf(field, language)
  if (journal && part) {
    const cell = (row: Row) => plainText(say(journalLabel(part, { journal, row }, definitions), language))
    return { path, head, reads: [path, journal.kind], cell }
  }
  const cell = (row: Row) => cellOf(valueAt(row, path), field, { language, summary: summaryIn(row, path, field, definitions) })
  return { path, head, reads: [path], cell }
}

/** Parts of different groups may share a label; then the group's label is prefixed. */
function withGroups(columns: readonly CsvColumn[], { fields, language }: Choosing): CsvColumn[] {
  return columns.map((column) => {
    const alike = columns.filter(({ head }) => head === column.head).length > 1
    const group = fields[column.path.split('.')[0] ?? '']
    return alike && group && column.path.includes('.')
      ? { ...column, head: `${say(group.label, language)}: ${column.head}` }
      : column
  })
}

/** The field that says in which currency or unit a figure is: without it a file does not tell how much that is. */
function measureOf(path: string, field: Field | undefined): string | undefined {
  const name = field?.type === 'money' ? field.currencyOf : field?.type === 'decimal' ? field.unitOf : undefined
  return name && [...path.split('.').slice(0, -1), name].join('.')
}

/**
 * The columns asked for, in their order, each figure with its currency or unit; those of the list where none are. Throws (400) for one
 * that the caller may not read.
 */
export function chooseColumns(asked: readonly string[] | undefined, choosing: Choosing): CsvColumn[] {
  const { resource, fields, readable } = choosing
  const known = (path: string) => (readable(path) ? fieldAt(fields, path) : undefined)
  const paths = asked ?? listOf(resource).columns.filter(known)
  const wrong = paths.filter((path) => !known(path))
  // A field that the caller may not read is told like one that there is not.
  const codeOf = (path: string) => (readable(path) && fieldOf(resource, path) ? 'detail-only' : 'unknown-column')
  const faults = wrong.map((key) => ({ path: 'columns', code: codeOf(key), params: { key } }))
  if (paths.length > maxColumns) faults.push({ path: 'columns', code: 'too-long', params: { key: String(maxColumns) } })
  if (faults.length > 0) throw invalid(faults)
  const withMeasures = paths.flatMap((path) => {
    const measure = measureOf(path, known(path))
    return measure && !paths.includes(measure) ? [path, measure] : [path]
  })
  const columns = [...new Set(withMeasures)].flatMap((path) => {
    const field = known(path)
    return field ? [columnFor(path, field, choosing)] : []
  })
  return withGroups(columns, choosing)
}
