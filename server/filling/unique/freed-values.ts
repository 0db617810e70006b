import { sql } from 'kysely'
import type { AnyResource } from '#schema/resource.ts'
import type { Language } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Outcome, withFaults } from '#server/filling/outcome.ts'
import { fillingProblem } from '#server/filling/problems.ts'

/** A row takes a unique value of the record `id`, which the row `by` frees; `faults`: problems of the row where `by` does not. */
export type Freed = { row: number; by: number; id: string; field: string; faults: readonly ShownFault[] }

type Update = Outcome & { kind: 'update' }

/** Changes of records by their ids: they free the values that they replace. */
export const updatesById = (outcomes: readonly Outcome[]): ReadonlyMap<string, Update> =>
  new Map(outcomes.flatMap((outcome) => (outcome.kind === 'update' ? [[String(outcome.record.id), outcome]] : [])))

const badRowsIn = (outcomes: readonly Outcome[]): ReadonlySet<number> =>
  new Set(outcomes.flatMap(({ row, kind }) => (kind === 'bad' ? [row] : [])))

/** Values that good rows free for good ones: only that is emptied before, for it gets its new value. */
export function freedAmong(outcomes: readonly Outcome[], freed: readonly Freed[]): Freed[] {
  const bad = badRowsIn(outcomes)
  return freed.filter(({ row, by }) => !bad.has(row) && !bad.has(by))
}

/** Outcomes with faults for rows that take what a bad row frees, and those that take what these would have freed, and so on. */
export function withoutUnfreed(outcomes: readonly Outcome[], freed: readonly Freed[], language: Language): Outcome[] {
  const takers = new Map<number, Freed[]>()
  for (const one of freed) takers.set(one.by, [...(takers.get(one.by) ?? []), one])
  const faults = new Map<number, ShownFault[]>()
  const known = badRowsIn(outcomes)
  const bad = new Set(known)
  // A set is walked with what is added on the way.
  for (const by of bad)
    for (const { row, faults: own } of takers.get(by) ?? []) {
      if (known.has(row)) continue
      faults.set(row, [...(faults.get(row) ?? []), ...own])
      bad.add(row)
    }
  return withFaults(outcomes, faults, language)
}

/**
 * Empties the unique values that other rows of the batch take: an index judges each statement, and of records that exchange
 * their values none could be written first. Each gets its new value in the same transaction.
 */
export async function parkValues(
  resource: AnyResource,
  freed: readonly Pick<Freed, 'id' | 'field'>[],
  work: Work,
): Promise<void> {
  for (const field of new Set(freed.map((one) => one.field))) {
    const ids = freed.filter((one) => one.field === field).map(({ id }) => id)
    await sql`update ${sql.table(tableOf(resource))} set ${sql.id(field)} = null
      where "id" = any(${sql.val(ids)}::text[])`.execute(work.db)
  }
}

type Step = { row: number; left: number[] }

/** Strongly connected components of rows, by Tarjan's algorithm without recursion: a file may be one long chain. */
class Components {
  readonly found: number[][] = []
  readonly #needs: ReadonlyMap<number, readonly { by: number }[]>
  readonly #places = new Map<number, number>()
  readonly #lowest = new Map<number, number>()
  readonly #open: number[] = []
  readonly #isOpen = new Set<number>()

  constructor(needs: ReadonlyMap<number, readonly { by: number }[]>) {
    this.#needs = needs
  }

  #enter(row: number): Step {
    this.#lowest.set(row, this.#places.size)
    this.#places.set(row, this.#places.size)
    this.#open.push(row)
    this.#isOpen.add(row)
    return { row, left: (this.#needs.get(row) ?? []).map(({ by }) => by) }
  }

  #lower(row: number, place: number | undefined): void {
    if (place !== undefined && place < (this.#lowest.get(row) ?? place)) this.#lowest.set(row, place)
  }

  #close(row: number): void {
    if (this.#lowest.get(row) !== this.#places.get(row)) return
    const unit = this.#open.splice(this.#open.lastIndexOf(row))
    for (const one of unit) this.#isOpen.delete(one)
    this.found.push(unit.toSorted((one, other) => one - other))
  }

  add(first: number): void {
    const path = this.#places.has(first) ? [] : [this.#enter(first)]
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.left.pop()
      if (next === undefined) {
        path.pop()
        const above = path.at(-1)
        if (above) this.#lower(above.row, this.#lowest.get(top.row))
        this.#close(top.row)
      } else if (!this.#places.has(next)) path.push(this.#enter(next))
      else if (this.#isOpen.has(next)) this.#lower(top.row, this.#places.get(next))
    }
  }
}

/**
 * Rows in the order in which they can be written: those that free a value before those that take it, else as in the file. Rows
 * that exchange values stand together.
 */
export function writeOrder(rows: readonly number[], freed: readonly Pick<Freed, 'row' | 'by'>[]): number[][] {
  const needs = new Map<number, { by: number }[]>()
  for (const { row, by } of freed) needs.set(row, [...(needs.get(row) ?? []), { by }])
  const components = new Components(needs)
  for (const row of rows) components.add(row)
  return components.found
}

/** Rows that exchange values are written in one transaction, for which others wait. */
const mostExchanged = 300

/** Throws 400 for a file with more rows in one ring of values than a transaction is to write. */
export function refuseLargeExchange(freed: readonly Pick<Freed, 'row' | 'by'>[]): void {
  const units = writeOrder([...new Set(freed.map(({ row }) => row))], freed)
  const rows = units.reduce((most, { length }) => Math.max(most, length), 0)
  if (rows > mostExchanged) throw fillingProblem('import.exchange-too-large', { values: { rows, most: mostExchanged } })
}

/** Units in batches of at most so many rows; a larger unit is a batch of its own. */
export function inBatches<T>(units: readonly (readonly T[])[], rowsOfBatch: number): T[][] {
  const batches: T[][] = []
  for (const unit of units) {
    const last = batches.at(-1)
    if (last && last.length + unit.length <= rowsOfBatch) last.push(...unit)
    else batches.push([...unit])
  }
  return batches
}
