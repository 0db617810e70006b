import { type Field, traitsOf } from '#schema/field-types.ts'

/** Comparison kind of a field in SQL. `exact` is a decimal, `time` an instant, `date` a day. */
export type Kind = 'text' | 'number' | 'exact' | 'boolean' | 'date' | 'time' | 'json'

type ColumnType = ReturnType<typeof traitsOf>['column']

const kindOfType: Record<ColumnType, Kind> = {
  text: 'text',
  int8: 'number',
  float8: 'number',
  numeric: 'exact',
  bool: 'boolean',
  date: 'date',
  timestamptz: 'time',
  jsonb: 'json',
}

/** PostgreSQL's short name of a field's column type. */
export const columnTypeOf = (field: Field): ColumnType => traitsOf(field).column

export const columnKindOf = (field: Field): Kind => kindOfType[traitsOf(field).column]

/** True for a field with a column; derived fields and counts are computed on read. */
export const isStored = (field: Field): boolean => !field.derived && !(field.type === 'count' && field.of !== undefined)
