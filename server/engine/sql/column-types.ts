import type { Field, FieldType } from '#schema/field-types.ts'

/** How values of a field compare in SQL. `time` is a moment, `date` a day. */
export type Kind = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'json'

type ColumnType = 'text' | 'int8' | 'float8' | 'bool' | 'date' | 'timestamptz' | 'jsonb'

const typeOfField = {
  text: 'text',
  longText: 'text',
  email: 'text',
  phone: 'text',
  url: 'text',
  code: 'text',
  hex: 'text',
  semver: 'text',
  timezone: 'text',
  secret: 'text',
  enum: 'text',
  status: 'text',
  reference: 'text',
  integer: 'int8',
  bytes: 'int8',
  duration: 'int8',
  count: 'int8',
  decimal: 'float8',
  quantity: 'float8',
  percent: 'float8',
  boolean: 'bool',
  date: 'date',
  dateTime: 'timestamptz',
  references: 'jsonb',
  tags: 'jsonb',
  group: 'jsonb',
  list: 'jsonb',
  json: 'jsonb',
  file: 'jsonb',
} as const satisfies Record<FieldType, ColumnType>

const kindOfType: Record<ColumnType, Kind> = {
  text: 'text',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  date: 'date',
  timestamptz: 'time',
  jsonb: 'json',
}

/** PostgreSQL's short name of the type in which a field is stored. */
export const columnTypeOf = (field: Field): ColumnType => typeOfField[field.type]

export const kindOf = (field: Field): Kind => kindOfType[typeOfField[field.type]]

/** Whether a field has a column of its own; derived ones and counts of other rows are worked out when read. */
export const isStored = (field: Field): boolean => !field.derived && !(field.type === 'count' && field.of !== undefined)
