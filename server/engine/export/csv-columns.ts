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
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { journalLabel } from '#schema/journal/journal-words.ts'
import type { AnyResource } from '#schema/resource.ts'
import { topOf, valueAt } from '#schema/rule.ts'
import { type Language, say } from '#schema/words.ts'
import { invalid } from '#server/base/problems.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { plainText } from './csv.ts'
import { cellOf, columnHeader } from './csv-cells.ts'

/** `reads`: fields of the row that the cell needs. */
export type CsvColumn = { path: string; head: string; reads: readonly string[]; cell: (row: Row) => string }

type Choosing = {
  resource: AnyResource
  definitions: Definitions
  /** Fields of the caller's list rows. */
  fields: Fields
  readable: (path: string) => boolean
  language: Language
}

const maxColumns = 200

const isText = (value: unknown): value is string => typeof value === 'string'

function summaryIn(row: Row, path: string, field: Field, definitions: Definitions): string | undefined {
  if (!isReference(field)) return undefined
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
  const head = columnHeader(field, language)
  if (journal && part) {
    const cell = (row: Row) => plainText(say(journalLabel(part, { journal, row }, definitions), language))
    return { path, head, reads: [path, journal.kind], cell }
  }
  const cell = (row: Row) => cellOf(valueAt(row, path), field, { language, summary: summaryIn(row, path, field, definitions) })
  return { path, head, reads: [path], cell }
}

/** Adds the group's label where parts of different groups share a label. */
function withGroups(columns: readonly CsvColumn[], { fields, language }: Choosing): CsvColumn[] {
  return columns.map((column) => {
    const alike = columns.filter(({ head }) => head === column.head).length > 1
    const group = fields[topOf(column.path)]
    return alike && group && column.path.includes('.')
      ? { ...column, head: `${say(group.label, language)}: ${column.head}` }
      : column
  })
}

/** The field with the currency or unit of a number: without it the exported value is ambiguous. */
function measureOf(path: string, field: Field | undefined): string | undefined {
  const name = field?.type === 'money' ? field.currencyOf : field?.type === 'decimal' ? field.unitOf : undefined
  return name && [...path.split('.').slice(0, -1), name].join('.')
}

/** A flow is drawn on screen: a file has a column for each of its quantities. */
const drawnParts = (path: string, field: Field | undefined): string[] =>
  field?.type === 'group' && field.flow ? Object.keys(field.flow.parts).map((name) => `${path}.${name}`) : [path]

/**
 * The requested columns in order, each number with its currency or unit; default: the list's columns. Throws 400 for a column
 * that the caller may not read.
 */
export function chooseColumns(asked: readonly string[] | undefined, choosing: Choosing): CsvColumn[] {
  const { resource, fields, readable } = choosing
  const known = (path: string) => (readable(path) ? fieldAt(fields, path) : undefined)
  const paths = asked ?? listOf(resource).columns.filter(known)
  const wrong = paths.filter((path) => !known(path))
  // An unreadable field is reported as an unknown one.
  const codeOf = (path: string) => (readable(path) && fieldOf(resource, path) ? 'detail-only' : 'unknown-column')
  const faults = wrong.map((key) => ({ path: 'columns', code: codeOf(key), params: { key } }))
  if (paths.length > maxColumns) faults.push({ path: 'columns', code: 'too-long', params: { key: String(maxColumns) } })
  if (faults.length > 0) throw invalid(faults)
  const plain = paths.flatMap((path) => drawnParts(path, known(path)))
  const withMeasures = plain.flatMap((path) => {
    const measure = measureOf(path, known(path))
    return measure && !plain.includes(measure) ? [path, measure] : [path]
  })
  const columns = [...new Set(withMeasures)].flatMap((path) => {
    const field = known(path)
    return field ? [columnFor(path, field, choosing)] : []
  })
  return withGroups(columns, choosing)
}
