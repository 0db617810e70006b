import { sql } from 'kysely'

/**
 * Sort key of a warning, lowest first: severity, unacknowledged, muted by maintenance, ended. It uses columns of the row only,
 * so that an index stores it.
 */
const place = (column: (name: string) => string) =>
  `(case when ${column('active')} then case when ${column('suppressed')} then 6 else 0 end
    + case ${column('severity')} when 'CRITICAL' then 0 when 'WARNING' then 2 else 4 end
    + case when ${column('acknowledged')} then 1 else 0 end else 12 end)`

/** Sort key of the warning "t". */
export const warningOrder = sql.raw(place((name) => `"t"."${name}"`))

/** Serves the first pages of the list: its terms equal the list's order. */
export const warningOrderIndex = `create index if not exists "telemetry_warning_attention_ix" on "telemetry_warning"
  (${place((name) => `"${name}"`)}, "raisedAt" desc nulls last, "id" desc)`
