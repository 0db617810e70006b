import type { Definitions } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { valueSchema } from '#schema/value-schema.ts'
import type { FieldCheck } from '#server/engine/changes/table-checks.ts'
import { pointsOtherwise, targetOf } from '#server/engine/changes/targets.ts'
import { columnTypeOf } from '#server/engine/sql/column-types.ts'
import { isWider } from '#server/engine/sql/existing-tables.ts'
import { measureChange, presentMeasure, readsOtherwise } from './measures.ts'
import { isMoved, movedLabels, movedTexts } from './moved-labels.ts'

type About = Pick<FieldCheck, 'resource' | 'name' | 'field' | 'column'>

/** A value of another type that this one takes, and reads as something else. */
export function isMisread(before: Field, now: Field): (value: unknown) => boolean {
  if (!readsOtherwise(before, now)) return () => false
  const schema = valueSchema(now)
  return (value) => value !== null && value !== undefined && schema.safeParse(value).success
}

/** Values whose meaning changes although they stay. `fieldsBefore`: the fields of the record as of the last alignment. */
export function* meaningChecks(
  about: About,
  before: Field,
  { definitions, fieldsBefore }: { definitions: Definitions; fieldsBefore: Fields },
): Generator<FieldCheck, void> {
  const { field, column, name, resource } = about
  const stored = columnTypeOf(before)
  const isReadable = field.convert !== undefined || stored === column
  if (isReadable && pointsOtherwise(before, field, definitions))
    yield { ...about, kind: 'target', meaning: { stored: targetOf(before) ?? before.type, defined: targetOf(field) ?? '' } }
  const stood = presentMeasure(before, resource.fields)
  const other = measureChange(stood, field, { fields: resource.fields, fieldsBefore })
  if (other) {
    const { kind, ...meaning } = other
    yield { ...about, kind, meaning, before: stood }
  }
  if ((stored === column || isWider(stored, column)) && readsOtherwise(before, field)) {
    const misread = isMisread(before, field)
    yield { ...about, kind: 'meaning', stored: before.type, fits: (value) => !misread(value) }
  }
  const moved = movedLabels(before, field)
  if (moved.size > 0)
    yield { ...about, kind: 'label', meaning: movedTexts(moved), fits: (_, __, held) => !isMoved(held[name], moved) }
}
