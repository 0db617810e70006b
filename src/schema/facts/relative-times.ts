import { fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { dayMs } from '#schema/format/durations.ts'
import { splitKey } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'

const form = /^\$(now|today)(?:([+-])(\d{1,4})d)?$/

/**
 * A relative time in a filter: `$today`, `$today+90d`, `$now-7d`. Resolved as in a list address: a UTC day for a date, an
 * instant for a date-time, where `$today` is the start of the day. Undefined for any other value or field.
 */
export function relativeTime(value: unknown, field: Field | undefined, now: Date): string | undefined {
  const [, from, sign, days = '0'] = form.exec(String(value)) ?? []
  if (from === undefined || (field?.type !== 'date' && field?.type !== 'dateTime')) return undefined
  const at = new Date(now.getTime() + (sign === '-' ? -1 : 1) * Number(days) * dayMs).toISOString()
  if (field.type === 'date') return at.slice(0, 10)
  return from === 'now' ? at : `${at.slice(0, 10)}T00:00:00.000Z`
}

/** The same for a filter key of an address: `endsAt_lte`. */
export const filterTime = (list: AnyResource, key: string, value: unknown, now: Date): string | undefined =>
  relativeTime(value, fieldOf(list, splitKey(key).field), now)
