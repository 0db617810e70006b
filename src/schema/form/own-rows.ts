import { isSummaryEmbedded, summaryKey } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'

type Values = Readonly<Record<string, unknown>>

/** Parts of a row, without the summaries that are embedded beside its references. */
function ownParts(fields: Fields, parts: Values): Values {
  const own: Record<string, unknown> = { ...parts }
  for (const [name, field] of Object.entries(fields)) {
    if (isReference(field) && isSummaryEmbedded(fields, name)) delete own[summaryKey(name)]
    const part = own[name]
    if (field.type === 'group' && isObject(part)) own[name] = ownParts(field.fields, part)
    if (field.type === 'list' && part !== undefined) own[name] = ownRows(field, part)
  }
  return own
}

/** Parts of a group without the summaries in its lists and groups; those of its own references stay, as forms show names by them. */
const groupParts = (fields: Fields, parts: Values): Values =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return [name, field?.type === 'group' && isObject(part) ? ownParts(field.fields, part) : ownRows(field, part)]
    }),
  )

/**
 * A value as it is stored: an answer embeds summaries in the rows of lists and in groups of parts, and these may be sent back as
 * they were shown.
 */
export function ownRows(field: Field | undefined, value: unknown): unknown {
  if (field?.type === 'group') return isObject(value) ? groupParts(field.fields, value) : value
  if (field?.type !== 'list' || !Array.isArray(value)) return value
  const { fields } = field
  return value.map((row: unknown) => (isObject(row) ? ownParts(fields, row) : row))
}

export const withOwnRows = (fields: Fields, values: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, ownRows(fields[name], value)]))
