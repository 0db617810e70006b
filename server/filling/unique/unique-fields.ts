import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { filled, type Label, type Language } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import { columnTypeOf } from '#server/engine/sql/column-types.ts'
import { takenValues, textAt } from '#server/filling/existing-records.ts'
import { fault, type Outcome, type Planning, withFaults } from '#server/filling/outcome.ts'
import type { SourceRow } from '#server/filling/source-rows.ts'
import { type Freed, updatesById } from './freed-values.ts'

export const twice = (row: number): Label =>
  filled(['Row {row} has the same value', 'Такое же значение в строке {row}'], { row })
export const isTaken: Label = ['This value is already taken', 'Такое значение уже занято']

export const isText = (field: Field): boolean => columnTypeOf(field) === 'text'

export function duplicateFault({ fields }: AnyResource, name: string, text: Label): ShownFault {
  const label = fields[name]?.label
  return { ...fault(name, 'duplicate', text), ...(label ? { label } : {}) }
}

/** Unique fields that are texts, each with their stored form; those of other types are compared in the database (`unique-sets.ts`). */
type Keys = ReadonlyMap<string, (text: string) => string>

export const keysOf = ({ fields }: AnyResource): Keys =>
  new Map(
    Object.entries(fields).flatMap(([name, field]) =>
      field.unique && isText(field) ? [[name, storedTexts(field)] as const] : [],
    ),
  )

type Taken = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Unique values of the file that already exist, with their record ids. */
export async function whatIsTaken({ table, engine, work }: Planning, resource: AnyResource, keys: Keys): Promise<Taken> {
  const taken = new Map<string, ReadonlyMap<string, string>>()
  for (const [field, stored] of keys) {
    const values = table.rows.flatMap((source) => {
      const text = textAt(source.values, field)
      return text === undefined ? [] : [stored(text)]
    })
    taken.set(field, await takenValues({ engine, work, resource, field, values }))
  }
  return taken
}

type Known = {
  keys: Keys
  taken: Taken
  /** True for records that the file may change: they may free their values. */
  mayBeFreed: (id: string) => boolean
}

/** Detects duplicates of unique values, within the file and against the records that it leaves as they are. */
export class Uniqueness {
  readonly #seen = new Map<string, number>()
  readonly #claims: Pick<Freed, 'row' | 'id' | 'field'>[] = []
  readonly #resource: AnyResource
  readonly #known: Known

  constructor(resource: AnyResource, known: Known) {
    this.#resource = resource
    this.#known = known
  }

  /** Faults that are certain already; the values of records in the file are judged by `settle`. */
  faults({ row, values }: SourceRow, ownId: unknown): ShownFault[] {
    const { keys, taken, mayBeFreed } = this.#known
    return [...keys].flatMap(([name, stored]) => {
      const text = textAt(values, name)
      if (text === undefined) return []
      const value = stored(text)
      const holder = taken.get(name)?.get(value)
      const first = this.#seen.get(`${name} ${value}`)
      if (first === undefined) this.#seen.set(`${name} ${value}`, row)
      if (first !== undefined) return [duplicateFault(this.#resource, name, twice(first))]
      if (!holder || holder === ownId) return []
      if (!mayBeFreed(holder)) return [duplicateFault(this.#resource, name, isTaken)]
      this.#claims.push({ row, id: holder, field: name })
      return []
    })
  }

  /** Outcomes with faults for values that no other row frees, and what the others free. */
  settle(outcomes: readonly Outcome[], language: Language): { outcomes: Outcome[]; freed: Freed[] } {
    const updates = updatesById(outcomes)
    const freed: Freed[] = []
    const bad = new Map<number, ShownFault[]>()
    for (const claim of this.#claims) {
      const update = updates.get(claim.id)
      const faults = [duplicateFault(this.#resource, claim.field, isTaken)]
      if (update?.change[claim.field] !== undefined) freed.push({ ...claim, by: update.row, faults })
      else bad.set(claim.row, [...(bad.get(claim.row) ?? []), ...faults])
    }
    return { outcomes: withFaults(outcomes, bad, language), freed }
  }
}
