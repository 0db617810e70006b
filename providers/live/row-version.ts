import type { BaseRecord } from '@refinedev/core'
import type { LiveEvent } from '#schema/wire/wire.ts'

const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

/** True when the event is newer than the row. Derived values change without a new version: then the times are compared. */
export function isOutdatedBy(row: BaseRecord, { version, at }: LiveEvent): boolean {
  const known: unknown = row.version
  if (typeof known !== 'number' || version > known) return true
  return version === known && timeOf(at) > timeOf(row.updatedAt)
}

/** True when a fetched row may replace the cached one. */
export const isNotOlder = (next: BaseRecord, row: BaseRecord): boolean =>
  typeof next.version !== 'number' || typeof row.version !== 'number' || next.version >= row.version
