import type { BaseRecord } from '@refinedev/core'
import type { LiveEvent } from '#schema/wire/wire.ts'

const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN)

/**
 * Whether an event tells of something that the row does not have yet. Values that are derived change without a new version: then
 * the event is younger than the row's last change.
 */
export function isNews(row: BaseRecord, { version, at }: LiveEvent): boolean {
  const known: unknown = row.version
  if (typeof known !== 'number' || version > known) return true
  return version === known && timeOf(at) > timeOf(row.updatedAt)
}

/** Whether a row that was just read may take the place of another one. */
export const isNotOlder = (next: BaseRecord, row: BaseRecord): boolean =>
  typeof next.version !== 'number' || typeof row.version !== 'number' || next.version >= row.version
