import { fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { splitKey } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { timeOf } from '#schema/rule.ts'

const dayLength = '2026-01-31'.length

/**
 * A relative time in a filter: `$today`, `$today+90d`, `$now-7d`. Resolved as in a list address: a UTC day for a date, an
 * instant for a date-time, where `$today` is the start of the day. Undefined for any other value or field.
 */
export function relativeTime(value: unknown, field: Field | undefined, now: Date): string | undefined {
  const at = timeOf(String(value), now.toISOString())
  if (at === undefined || (field?.type !== 'date' && field?.type !== 'dateTime')) return undefined
  if (field.type === 'date') return at.slice(0, 10)
  return at.length === dayLength ? `${at}T00:00:00.000Z` : at
}

/** The same for a filter key of an address: `endsAt_lte`. */
export const filterTime = (list: AnyResource, key: string, value: unknown, now: Date): string | undefined =>
  relativeTime(value, fieldOf(list, splitKey(key).field), now)
