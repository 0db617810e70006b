import { titleOf } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { FieldOf } from '#schema/field-types.ts'
import { optionsOf } from '#schema/form/options.ts'
import type { ImportColumn } from '#schema/import-columns.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { filled, type Label } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { namedRecords, textAt } from './existing-records.ts'
import { fault, inWords, type Outcome, type Planning, plainFault } from './outcome.ts'
import { put, type SourceRow } from './source-rows.ts'

const isBadAbove = (row: number): Label =>
  filled(['Row {row}, which it names, makes no record', 'Строка {row}, которая здесь названа, не создаёт записи'], { row })

/** A reference to a row of the same file, which is above. */
type Above = { path: string; label: Label; to: number }

type ByRow<T> = ReadonlyMap<number, readonly T[]>

/** Faults and references to rows of the same file, each by row. */
type Resolved = { faults: ByRow<ShownFault>; above: ByRow<Above> }

/** References in a cell. */
const namesAt = (values: Row, path: string): string[] =>
  [valueAt(values, path)].flat().flatMap((name) => (typeof name === 'string' ? [name] : []))

type RowsNamed = (name: string, before: number) => readonly SourceRow[]

/** Rows of a file by the title, and by the id, of the record that each would make. */
function rowsByName(resource: AnyResource, rows: readonly SourceRow[]): RowsNamed {
  const title = titleOf(resource)
  const stored = storedTexts(resource.fields[title])
  const byTitle = new Map<string, SourceRow[]>()
  const byId = new Map(rows.map((row) => [row.id, [row]]))
  for (const row of rows) {
    const name = stored(textAt(row.values, title) ?? '')
    const same = byTitle.get(name)
    if (same) same.push(row)
    else byTitle.set(name, [row])
  }
  return (name, before) => (byId.get(name) ?? byTitle.get(stored(name)) ?? []).filter(({ row }) => row < before)
}

type Named = { id: string | undefined; isMany: boolean; above?: number }

/** The record of a name: one that is there, or that a row above makes. */
function namedBy(found: ReadonlyMap<string, string | undefined>, rowsNamed: RowsNamed, before: number) {
  return (name: string): Named => {
    if (found.has(name)) return { id: found.get(name), isMany: found.get(name) === undefined }
    const [one, ...others] = rowsNamed(name, before)
    return { id: others.length > 0 ? undefined : one?.id, isMany: others.length > 0, ...(one ? { above: one.row } : {}) }
  }
}

type Column = { path: string; field: FieldOf<'reference'> | FieldOf<'references'> }

const referenceColumns = (columns: readonly ImportColumn[]): Column[] =>
  columns.flatMap(({ path, field }) => (isReference(field) ? [{ path, field }] : []))

/** Writes the ids of a cell into its row. Answers the fault of an unknown or ambiguous name. */
function putIds({ values }: SourceRow, { path, field }: Column, named: readonly Named[]): ShownFault[] {
  const ids = named.flatMap(({ id }) => id ?? [])
  if (ids.length > 0) put(values, path, field.type === 'references' ? ids : ids[0])
  const lost = named.find(({ id }) => id === undefined)
  if (!lost) return []
  return [{ ...plainFault(path, lost.isMany ? 'several-such-records' : 'no-such-record'), label: field.label }]
}

/**
 * Resolves references to ids: of records that the caller may see, and of rows above in the same file, so that one file brings a
 * whole tree. A field with `options` takes records only, since its list does not have the rows yet.
 */
export async function resolveReferences({ table, engine, work }: Planning, resource: AnyResource): Promise<Resolved> {
  const faults = new Map<number, readonly ShownFault[]>()
  const above = new Map<number, readonly Above[]>()
  let rowsNamed: RowsNamed | undefined
  for (const column of referenceColumns(table.columns)) {
    const { path, field } = column
    const isChosen = optionsOf(field) !== undefined
    const names = table.rows.flatMap(({ values }) => namesAt(values, path))
    const found = await namedRecords({ engine, work, to: field.to, names, isChosen })
    const isTree = field.to === resource.name && !isChosen
    if (isTree) rowsNamed ??= rowsByName(resource, table.rows)
    const ofFile: RowsNamed = (isTree && rowsNamed) || (() => [])
    for (const source of table.rows) {
      const { row, values } = source
      const named = namesAt(values, path).map(namedBy(found, ofFile, row))
      const own = named.flatMap(({ above: to }): Above[] => (to === undefined ? [] : [{ path, label: field.label, to }]))
      if (own.length > 0) above.set(row, [...(above.get(row) ?? []), ...own])
      const lost = putIds(source, column, named)
      if (lost.length > 0) faults.set(row, [...(faults.get(row) ?? []), ...lost])
    }
  }
  return { faults, above }
}

/** Rows whose named row above makes no record are bad as well, and so are those that name them. */
export function withoutOrphans(outcomes: readonly Outcome[], above: ByRow<Above>, { work }: Planning): Outcome[] {
  const made = new Set<number>()
  return outcomes.map((outcome) => {
    const lost = (above.get(outcome.row) ?? []).filter(({ to }) => !made.has(to))
    const isWritten = outcome.kind === 'create' || outcome.kind === 'update'
    if (isWritten && lost.length > 0) {
      const faults = lost.map(({ path, label, to }) => ({ ...fault(path, 'no-such-record', isBadAbove(to)), label }))
      return { row: outcome.row, kind: 'bad', faults: inWords(faults, work.language) }
    }
    if (outcome.kind === 'create') made.add(outcome.row)
    return outcome
  })
}
