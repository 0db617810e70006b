import type { Field, Fields } from '#schema/field-types.ts'
import { presentName } from '#schema/former-names.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { type Language, say } from '#schema/words.ts'
import { unbounded } from '#server/engine/changes/notes.ts'
import { leftKey } from '#server/engine/changes/writing/kept-values.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { columnTypeOf, isStored } from '#server/engine/sql/column-types.ts'

/** True for a value that the column of the field takes. Groups and lists are kept in step by plans. */
const isTaken = (field: Field, value: unknown) =>
  value === null || columnTypeOf(field) === 'jsonb' || valueSchema(unbounded(field)).safeParse(value).success

/** Former values that the fields of today take, and the names of those that they do not. */
export function presentValues(fields: Fields, before: Row): { change: Row; left: string[] } {
  const { [leftKey]: known, ...values } = before
  const change: Row = {}
  const left = Array.isArray(known) ? known.map(String) : []
  for (const [former, value] of Object.entries(values)) {
    const name = presentName(fields, former)
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field && isStored(field) && isTaken(field, value)) change[name] = value
    else left.push(former)
  }
  return { change, left }
}

/** Secrets among former values: an import writes none, so these were emptied by it, and no log of it has them. */
export const emptiedSecrets = (fields: Fields, change: Row): string[] =>
  Object.keys(change).filter((name) => fields[name]?.type === 'secret')

/** Labels of fields; one that is gone has its name only. */
export const namesOf = (fields: Fields, names: readonly string[], language: Language): string[] =>
  names.map((former) => {
    const field = fields[presentName(fields, former)]
    return field ? say(field.label, language) : former
  })
