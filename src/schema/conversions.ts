import type { FieldType } from './field-types.ts'

/** Kind of the values of each field type; null: not convertible. */
const kinds = {
  text: 'text',
  longText: 'text',
  email: 'text',
  phone: 'text',
  url: 'text',
  code: 'text',
  hex: 'text',
  semver: 'text',
  timezone: 'text',
  secret: 'secret',
  integer: 'number',
  bytes: 'number',
  duration: 'number',
  decimal: 'number',
  money: 'number',
  quantity: 'number',
  percent: 'number',
  boolean: 'boolean',
  enum: 'choice',
  status: 'choice',
  date: 'date',
  dateTime: 'time',
  reference: 'reference',
  references: 'references',
  tags: 'tags',
  file: 'file',
  files: 'files',
  count: null,
  group: null,
  list: null,
  json: null,
} as const satisfies Record<FieldType, string | null>

export type ConvertibleType = {
  [T in FieldType]: (typeof kinds)[T] extends null ? never : T
}[FieldType]
type Kind = (typeof kinds)[ConvertibleType]
type Plain = string | number | boolean

/** Conversion of stored values after a change of the field's type. */
export type Conversion = {
  /** Former type of the field. */
  from: ConvertibleType
  /** Explicit mapping by text; null clears the value. Other values are converted by type. */
  values?: Readonly<Record<string, Plain | null>>
  /** Replacement for a value that cannot be converted; without it such a value aborts the migration. */
  otherwise?: Plain | null
}

const same = (value: unknown) => value
const text = (value: unknown) => String(value)
const number = (value: unknown) => {
  const written = String(value).trim().replace(',', '.')
  return /^[+-]?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined
}
const words: Readonly<Record<string, boolean>> = { true: true, false: false, yes: true, no: false, 1: true, 0: false }
const truth = (value: unknown) => words[String(value).trim().toLowerCase()]
const midnight = (value: unknown) => `${String(value)}T00:00:00.000Z`
const moment = (value: unknown) => {
  const written = String(value).trim()
  const isMoment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(written)
  return isMoment && Number.isFinite(Date.parse(written)) ? new Date(written).toISOString() : undefined
}
const day = (value: unknown) => String(value).trim().slice(0, 10)
const oneOf = (value: unknown) => [value]
const only = (value: unknown) => (Array.isArray(value) && value.length === 1 ? value[0] : undefined)
/** Only the `values` table converts; other values have no conversion. */
const byTable = () => undefined

/** All supported conversions; other pairs are not supported. */
const converters: Readonly<Partial<Record<`${Kind}>${Kind}`, (value: unknown) => unknown>>> = {
  'text>text': same,
  'text>secret': same,
  'secret>text': same,
  'text>number': number,
  'text>boolean': truth,
  'text>choice': same,
  'text>date': (value) => String(value).trim(),
  'text>time': moment,
  'text>reference': same,
  'text>tags': oneOf,
  'number>number': same,
  'number>text': text,
  'number>choice': byTable,
  'number>boolean': truth,
  'boolean>text': text,
  'boolean>number': Number,
  'boolean>choice': byTable,
  'choice>choice': same,
  'choice>text': same,
  'choice>boolean': byTable,
  'choice>number': byTable,
  'choice>tags': oneOf,
  'choice>reference': byTable,
  'date>text': text,
  'date>time': midnight,
  'time>text': text,
  'time>date': day,
  'reference>text': same,
  'reference>references': oneOf,
  'references>reference': only,
  'tags>text': only,
  'tags>choice': only,
  'file>files': oneOf,
  'files>file': only,
}

const kindOf = (type: string): Kind | null => (Object.hasOwn(kinds, type) ? kinds[type as FieldType] : null)

const turnOf = (from: string, to: string) => {
  const [one, other] = [kindOf(from), kindOf(to)]
  return one && other ? converters[`${one}>${other}`] : undefined
}

/** Values that no text names: they have no table of conversions. */
export const isOfFiles = (type: string | undefined): boolean => type === 'file' || type === 'files'

export const convertibleTypes = Object.keys(kinds).filter(kindOf) as readonly ConvertibleType[]

export const conversionsOf = (from: string): string[] => convertibleTypes.filter((to) => turnOf(from, to))

/** True when only an explicit table of values can convert. */
export const needsTable = (from: string, to: string): boolean => turnOf(from, to) === byTable

/** The converted value; undefined when there is none. Bounds and choices are checked by the field's schema. */
export function convert({ from, values = {} }: Conversion, to: string, value: unknown): unknown {
  const key = String(value)
  return Object.hasOwn(values, key) ? values[key] : turnOf(from, to)?.(value)
}
