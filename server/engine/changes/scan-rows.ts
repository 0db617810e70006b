import { sql } from 'kysely'
import { isAbsent } from '#schema/form/is-empty.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { type Note, type NoteCheck, valuesAt } from './notes.ts'
import type { Obstacle } from './obstacles.ts'
import { convertParts, type PartStep } from './part-conversions.ts'
import { aboutOf, asksFor, checkFor, type Found, isOf, type ReadRows, type RowCheck } from './row-checks.ts'
import type { FieldCheck, TableCheck } from './table-checks.ts'
import { type Counted, Tally } from './tally.ts'
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

/** Rows of a table by their ids. */
export async function rowsAmong(db: Queryable, table: string, ids: readonly string[]): Promise<Map<string, Row>> {
  const rows = await rowsOf(db, sql<Row>`select * from ${sql.table(table)} where "id" = any(${sql.val(ids)}::text[])`)
  return new Map(rows.map((row) => [String(row.id), row]))
}

/** A changed value. `isLost`: the former one is archived; `isReplaced`: by `otherwise`; `parts`: the steps of a group or list. */
export type Change = {
  id: string
  check: FieldCheck
  before: unknown
  after: unknown
  isLost: boolean
  isReplaced?: boolean
} & ({ kind: ConversionKind } | { kind: 'parts'; parts: PartStep[] })

type DeclaredConversion = { check: FieldCheck; kind: ConversionKind; conversion: Conversion }

/** Scans the rows of a table once: applies the declared changes and checks the result. */
export class RowScan {
  readonly #tally: Tally<Found>
  readonly #noted: Tally<Omit<Note, keyof Counted<object>>>
  readonly #notes: readonly NoteCheck[]
  readonly #demands: readonly FieldCheck[]
  readonly #conversions: DeclaredConversion[]
  readonly #rowChecks: (RowCheck & { check: FieldCheck })[]
  readonly #former: ReadonlyMap<string, string>
  readonly #parts: readonly FieldCheck[]
  readonly #now: string

  constructor({ fields, former, notes, demands, secrets }: TableCheck, now: string) {
    this.#tally = new Tally(secrets)
    this.#noted = new Tally(secrets)
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
    this.#rowChecks = fields.filter((check) => !isConverted(check)).map((check) => ({ check, ...checkFor(check, this.#tally) }))
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

  /** Ends the checks that needed all rows. */
  async finish(read: ReadRows): Promise<void> {
    const named: ReadRows = async (ids) => new Map([...(await read(ids))].map(([id, row]) => [id, this.#present(row)]))
    for (const { end } of this.#rowChecks) await end?.(named)
  }

  /** The changes and obstacles of a row by itself, as if there were no others. */
  async scanAlone(raw: Row): Promise<{ changes: Change[]; obstacles: Obstacle[] }> {
    const changes = this.scanRow(raw)
    await this.finish(async () => new Map())
    const obstacles = this.obstacles
    this.#tally.clear()
    return { changes, obstacles }
  }

  /** A row under present names. */
  #present(raw: Row): Row {
    return Object.fromEntries(Object.entries(raw).map(([name, value]) => [this.#former.get(name) ?? name, value]))
  }

  get notes(): Note[] {
    return this.#noted.all
  }

  /** Values that stay but are rejected on the next save. `before`: the row before its changes. */
  #note(before: Row, row: Row) {
    for (const check of this.#notes) {
      const { resource, keys, kind, what, fits, breaks } = check
      const values = isOf(check, row) ? valuesAt(row, keys) : []
      const broken = breaks ? values.filter(() => breaks(row, this.#now)) : values.filter((value) => !fits(value))
      const [value] = broken
      if (broken.length > 0)
        this.#noted.add(
          { kind, what, resource: resource.name, field: keys.join('.') },
          this.#noted.example({ resource, name: keys.join('.') }, row, value),
        )
    }
    for (const check of this.#demands) {
      if (!isAbsent(row[check.name]) || !asksFor(check, row) || asksFor(check, before)) continue
      const what = 'have no value where one is required now'
      this.#noted.add(
        { kind: 'required', what, resource: check.resource.name, field: check.name },
        this.#noted.example(check, row, null),
      )
    }
  }

  /** The change of a group or list, with its faults by path. */
  #convertParts(check: FieldCheck, row: Row, id: string): Change[] {
    if (!isOf(check, row)) return []
    const before = row[check.name]
    const { value: after, isLost, steps: parts, faults } = convertParts(check, row, this.#now)
    // Several items of a list count as one row.
    const once = new Map(faults.toReversed().map((fault) => [`${fault.field} ${fault.kind}`, fault]))
    for (const { value, ...fault } of [...once.values()].toReversed()) {
      const example = this.#tally.example({ resource: check.resource, name: fault.field }, row, value)
      this.#tally.add({ ...fault, resource: check.resource.name }, example)
    }
    row[check.name] = after
    return parts.length > 0 ? [{ id, check, kind: 'parts', parts, before, after, isLost }] : []
  }

  scanRow(raw: Row): Change[] {
    const id = String(raw.id)
    const row = this.#present(raw)
    const held = { ...row }
    const unread = new Set<string>()
    const changes = this.#conversions.flatMap(({ check, kind, conversion }): Change[] => {
      const before = row[check.name] ?? null
      if (kind === 'backfill' && !asksFor(check, row)) return []
      const { value: after, fits, isChanged, isLost, isReplaced = false } = conversion(before, row)
      if (!fits) {
        unread.add(check.name)
        this.#tally.add(aboutOf({ ...check, kind: 'convert' }), this.#tally.example(check, row, before))
        return []
      }
      row[check.name] = after
      return isChanged ? [{ id, check, kind, before, after, isLost, isReplaced }] : []
    })
    changes.push(...this.#parts.flatMap((check) => this.#convertParts(check, row, id)))
    for (const { check, test } of this.#rowChecks) if (!unread.has(check.name)) test(row, held)
    this.#note(held, row)
    return changes
  }
}
