import type { Report } from '#schema/check/report/report.ts'
import { withArticle } from '#schema/check/report/report.ts'
import { baseNameOf, baseOf, type Definitions } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'

/** True when both fields are references, to records of different tables. */
export const pointsElsewhere = (field: Field, other: Field, all: Definitions): boolean =>
  isReference(field) && isReference(other) && baseNameOf(all, field.to) !== baseNameOf(all, other.to)

const named = (field: Field): string =>
  isReference(field) ? `${withArticle(field.type)} to ${field.to}` : withArticle(field.type)

export const elsewhere = (field: Field, other: Field): string =>
  `it is ${named(field)} in the record, and this is ${named(other)}`

type Written = { value: unknown; other: Field | undefined; resource: AnyResource; all: Definitions }

/** A reference is written from a reference to the same table, from the caller or from the record itself, or emptied. */
export function checkPointer(
  report: Report,
  path: string,
  field: FieldOf<'reference'>,
  { value, other, resource, all }: Written,
): void {
  const table = baseNameOf(all, field.to)
  const givers: Readonly<Record<string, string>> = { '$user.id': 'user', '$record.id': baseOf(resource) }
  const giver = Object.hasOwn(givers, String(value)) ? givers[String(value)] : undefined
  const isFitting = giver === undefined ? other?.type === 'reference' && !pointsElsewhere(field, other, all) : giver === table
  if (value === null || isFitting) return
  const isKnown = other !== undefined || giver !== undefined || !/^\$(form|record)\./.test(String(value))
  if (isKnown)
    report(
      'wrong-kind',
      path,
      `it takes a record of ${field.to}, and ${JSON.stringify(value)} is ${giver ? `one of ${giver}` : other ? named(other) : 'none'}; set it from a reference of the form or the record, from "$user.id", or to null`,
    )
}
