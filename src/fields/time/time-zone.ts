import type { FieldIn, Row } from '#fields/field-kind.ts'
import { valueAt } from '#schema/rule.ts'
import { knownZone } from './time-format.ts'

const zoneIn = (holder: unknown): string | undefined => {
  const found = valueAt(holder, 'timezone')
  return typeof found === 'string' ? knownZone(found) : undefined
}

/** The time zone of the record's site: its own `timezone`, or that of one of its groups. */
const siteZone = (row: Row): string | undefined => zoneIn(row) ?? Object.values(row).map(zoneIn).find(Boolean)

/** The zone in which a moment is shown and entered; `user`: the viewer's. */
export function zoneOf(field: FieldIn<'dateTime'>, row: Row, user: string | undefined): string | undefined {
  if (field.zone === 'utc') return 'UTC'
  return field.zone === 'site' ? (siteZone(row) ?? user) : user
}
