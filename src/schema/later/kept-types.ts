import type { FieldType } from '#schema/field-types.ts'

/**
 * Types of fields whose values in a list may stay on the device until the next visit: they neither name nor describe a
 * person or a place. All others, also those to come, are kept as bars.
 */
export const keptTypes: ReadonlySet<FieldType> = new Set<FieldType>([
  'code',
  'semver',
  'status',
  'enum',
  'boolean',
  'integer',
  'decimal',
  'count',
  'quantity',
  'percent',
  'money',
  'bytes',
  'date',
  'dateTime',
  'duration',
])
