import { sql } from 'kysely'
import { titleOf } from '#schema/definition.ts'
import { isRequired } from '#schema/form/conditions.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { RuleContext } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { isSameMeasure } from './meaning/measures.ts'
import { type Note, type NoteCheck, valuesAt } from './notes.ts'
import type { Obstacle, ObstacleKind } from './obstacles.ts'
import { convertParts, type PartStep } from './part-conversions.ts'
import type { FieldCheck, TableCheck } from './table-checks.ts'
import { type Counted, type Example, Tally } from './tally.ts'
import { isInside } from './targets.ts'
import { type Conversion, type ConversionKind, conversionOf } from './value-conversions.ts'

const rowsAtOnce = 1_000

/** All rows of a table in batches, with times in wire format. */
export async function* batchesOf(db: Queryable, table: string): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await rowsOf(
      db,
      sql<Row & { id: string }>`select * from ${sql.table(table)} where "id" > ${after} order by "id" limit ${rowsAtOnce}`,
    )
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = last.id
  }
}

/** Context for a field's conditions without a caller. */
const nobody: RuleContext = { user: { id: '', role: 'admin' }, now: '' }

const isEmpty = (value: unknown) => value === null || value === undefined

/** True when the row belongs to the resource, in a table shared by several. */
const isOf = ({ resource }: Pick<FieldCheck, 'resource'>, row: Row) =>
  Object.entries(resource.subset?.where ?? {}).every(([name, value]) => row[name] === value)

const asksFor = (check: FieldCheck, row: Row) => isOf(check, row) && isRequired(check.field, row, nobody)

type Fits = NonNullable<FieldCheck['fits']>

const inSameMeasure =
  ({ before, field, resource }: FieldCheck): Fits =>
  (value, record, held) =>
    isEmpty(value) || isSameMeasure({ before, held }, { field, record, fields: resource.fields })

const byItself = ({ fits = () => true }: FieldCheck): Fits => fits

const tests: Record<Exclude<FieldCheck['kind'], 'unique' | 'parts'>, (check: FieldCheck) => Fits> = {
  type: () => isEmpty,
  choice:
    ({ choices }) =>
    (value) =>
      isEmpty(value) || choices?.has(value) === true,
  value: ({ field }) => {
    const schema = valueSchema(field)
    return (value) => isEmpty(value) || schema.safeParse(value).success
  },
  target:
    ({ field, ids }) =>
    (value) =>
      isEmpty(value) || isInside(field, value, ids),
  currency: inSameMeasure,
  unit: inSameMeasure,
  measure: inSameMeasure,
  meaning: byItself,
  label: byItself,
  required: (check) => (value, row) => !isEmpty(value) || !asksFor(check, row),
}

const aboutOf = ({ kind, resource, name, field, stored, meaning }: Omit<FieldCheck, 'kind'> & { kind: ObstacleKind }) => ({
  kind,
  resource: resource.name,
  field: name,
  ...meaning,
  ...(stored && kind !== 'choice' ? { stored, defined: field.type } : {}),
})

type Found = Pick<Obstacle, 'kind' | 'resource' | 'field' | 'stored' | 'defined'>
type RowCheck = (row: Row, held: Row) => void

/** The title says which record it is, unless it is the reported value itself. */
function exampleOf({ resource, name }: { resource: AnyResource; name: string }, row: Row, value: unknown): Example {
  const [id, key] = [String(row.id), titleOf(resource)]
  const title = row[key]
  return typeof title === 'string' && title !== '' && key !== 'id' && key !== name ? { id, value, title } : { id, value }
}

/** Secrets stay out of terminals and logs. */
const shownValue = ({ stored, defined }: Pick<Found, 'stored' | 'defined'>, value: unknown) =>
  value !== null && (stored === 'secret' || defined === 'secret') ? '•••' : value

/** Unique key of a row: the value of a field, or of a set whose values are all filled. */
function uniqueKey({ name, together }: FieldCheck, row: Row): unknown {
  if (!together) return row[name]
  const values = together.map((one) => row[one])
  return values.some(isEmpty) ? null : JSON.stringify(values)
}

/** A duplicate is reported with the first row of the same value. */
function duplicateCheck(check: FieldCheck, tally: Tally<Found>): RowCheck {
  const seen = new Map<unknown, Example | undefined>()
  const about = aboutOf({ ...check, kind: 'unique' })
  return (row) => {
    const key = uniqueKey(check, row)
    if (isEmpty(key)) return
    const example = exampleOf(check, row, check.together?.map((name) => row[name]) ?? row[check.name])
    const first = seen.get(key)
    if (first !== undefined) tally.add(about, first)
    if (seen.has(key)) tally.add(about, example)
    seen.set(key, seen.has(key) ? undefined : example)
  }
}

function checkFor(check: FieldCheck, tally: Tally<Found>): RowCheck {
  const { kind } = check
  if (kind === 'unique') return duplicateCheck(check, tally)
  if (kind === 'parts') return () => undefined
  const [fits, about] = [tests[kind](check), aboutOf({ ...check, kind })]
  return (row, held) => {
    const value = row[check.name] ?? null
    if (!fits(value, row, held)) tally.add(about, exampleOf(check, row, shownValue(about, value)))
  }
}

/** A changed value. `isLost`: the former one is archived; `parts`: the steps of a group or list. */
export type Change = { id: string; check: FieldCheck; before: unknown; after: unknown; isLost: boolean } & (
  | { kind: ConversionKind }
  | { kind: 'parts'; parts: PartStep[] }
)

type DeclaredConversion = { check: FieldCheck; kind: ConversionKind; conversion: Conversion }

/** Scans the rows of a table once: applies the declared changes and checks the result. */
export class RowScan {
  readonly #tally = new Tally<Found>()
  readonly #noted = new Tally<Omit<Note, keyof Counted<object>>>()
  readonly #notes: readonly NoteCheck[]
  readonly #demands: readonly FieldCheck[]
  readonly #conversions: DeclaredConversion[]
  readonly #rowChecks: { check: FieldCheck; test: RowCheck }[]
  readonly #former: ReadonlyMap<string, string>
  readonly #parts: readonly FieldCheck[]
  readonly #now: string

  constructor({ fields, former, notes, demands }: TableCheck, now: string) {
    const conversions = fields.flatMap((check) => {
      const found = conversionOf(check, now)
      return found ? [{ check, ...found }] : []
    })
    // A backfill may read a converted field.
    this.#conversions = [
      ...conversions.filter(({ kind }) => kind !== 'backfill'),
      ...conversions.filter(({ kind }) => kind === 'backfill'),
    ]
    const isConverted = (check: FieldCheck) =>
      conversions.some((declared) => declared.check === check && declared.kind === 'convert')
    this.#rowChecks = fields
      .filter((check) => !isConverted(check))
      .map((check) => ({ check, test: checkFor(check, this.#tally) }))
    this.#former = former
    this.#parts = fields.filter(({ kind }) => kind === 'parts')
    this.#now = now
    this.#notes = notes
    // Requirements of unchanged rows are unchanged, too.
    this.#demands = conversions.length > 0 || this.#parts.length > 0 ? demands : []
  }

  get obstacles(): Obstacle[] {
    return this.#tally.all
  }

  get notes(): Note[] {
    return this.#noted.all
  }

  /** Values that stay but are rejected on the next save. `before`: the row before its changes. */
  #note(before: Row, row: Row) {
    for (const check of this.#notes) {
      const { resource, keys, kind, what, fits } = check
      const broken = isOf(check, row) ? valuesAt(row, keys).filter((value) => !fits(value)) : []
      const [value] = broken
      if (broken.length > 0)
        this.#noted.add(
          { kind, what, resource: resource.name, field: keys.join('.') },
          exampleOf({ resource, name: keys.join('.') }, row, value),
        )
    }
    for (const check of this.#demands) {
      if (!isEmpty(row[check.name]) || !asksFor(check, row) || asksFor(check, before)) continue
      const what = 'have no value where one is required now'
      this.#noted.add({ kind: 'required', what, resource: check.resource.name, field: check.name }, exampleOf(check, row, null))
    }
  }

  /** The change of a group or list, with its faults by path. */
  #convertParts(check: FieldCheck, row: Row, id: string): Change[] {
    if (!isOf(check, row)) return []
    const before = row[check.name]
    const { value: after, isLost, steps: parts, faults } = convertParts(check, row, this.#now)
    // Several items of a list count as one row.
    const once = new Map(faults.toReversed().map((fault) => [`${fault.field} ${fault.kind}`, fault]))
    for (const { value, ...fault } of [...once.values()].toReversed())
      this.#tally.add({ ...fault, resource: check.resource.name }, exampleOf(check, row, shownValue(fault, value)))
    row[check.name] = after
    return parts.length > 0 ? [{ id, check, kind: 'parts', parts, before, after, isLost }] : []
  }

  scanRow(raw: Row): Change[] {
    const id = String(raw.id)
    const row: Row = Object.fromEntries(Object.entries(raw).map(([name, value]) => [this.#former.get(name) ?? name, value]))
    const held = { ...row }
    const unread = new Set<string>()
    const changes = this.#conversions.flatMap(({ check, kind, conversion }): Change[] => {
      const before = row[check.name] ?? null
      if (kind === 'backfill' && !asksFor(check, row)) return []
      const { value: after, fits, isChanged, isLost } = conversion(before, row)
      if (!fits) {
        unread.add(check.name)
        this.#tally.add(aboutOf({ ...check, kind: 'convert' }), exampleOf(check, row, before))
        return []
      }
      row[check.name] = after
      return isChanged ? [{ id, check, kind, before, after, isLost }] : []
    })
    changes.push(...this.#parts.flatMap((check) => this.#convertParts(check, row, id)))
    for (const { check, test } of this.#rowChecks) if (!unread.has(check.name)) test(row, held)
    this.#note(held, row)
    return changes
  }
}
