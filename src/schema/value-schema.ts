import { z } from 'zod'
import { choicesOf, type Field, type FieldOf, type Fields, type FieldType, optionKeys } from './field-types.ts'
import { isDate, isTime } from './format/time-text.ts'

/** A check of our own: its code is one of faults.ts. */
const refuse = (code: string) => ({ params: { code } })

const storable = (text: string) =>
  !text.includes('\u0000') && !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
const text = (facts: { minLength?: number; maxLength?: number }, max: number) =>
  z
    .string()
    .trim()
    .refine(storable, refuse('bad-text'))
    .min(facts.minLength ?? 1)
    .max(facts.maxLength ?? max)
const matching = (facts: { minLength?: number; maxLength?: number }, max: number, pattern: RegExp, code: string) =>
  text(facts, max).refine((value) => pattern.test(value), refuse(code))
const anchored = (pattern: string) => new RegExp(pattern.startsWith('^') ? pattern : `^(?:${pattern})$`, 'u')

function range<S extends z.ZodNumber>(schema: S, facts: { min?: number; max?: number }): S {
  const low = facts.min === undefined ? schema : (schema.min(facts.min) as S)
  return facts.max === undefined ? low : (low.max(facts.max) as S)
}
const whole = (facts: { min?: number; max?: number }) => range(z.int(), facts)
const number = (facts: { min?: number; max?: number }) => range(z.number(), facts)

/** Zones that were found good: asking the runtime takes longer than all other checks of a record together. */
const goodZones = new Set<string>()
const mostZones = 1000

/** Also what a PostgreSQL of any build and a browser of any age know: the runtime decides. */
function isZone(value: string): boolean {
  if (goodZones.has(value)) return true
  try {
    const isGood =
      /^[A-Za-z]/.test(value) && new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
    if (isGood && goodZones.size < mostZones) goodZones.add(value)
    return isGood
  } catch {
    return false
  }
}
const email =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/
const semver = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,32})?$/
const idText = z.string().min(1).max(64).refine(storable, refuse('bad-text'))
const jsonValue = z.unknown()

const shape = (fields: Fields) => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]))
const optional = (field: Field) => (field.required ? valueSchema(field) : valueSchema(field).nullish())
const tag = (pattern: string | undefined) => (pattern ? matching({}, 64, anchored(pattern), 'bad-pattern') : text({}, 64))
const choice = (field: FieldOf<'enum'> | FieldOf<'status'>) => z.enum(choicesOf(field))

const schemas: { [T in FieldType]: (field: FieldOf<T>) => z.ZodType } = {
  text: (field) => (field.pattern ? matching(field, 250, anchored(field.pattern), 'bad-pattern') : text(field, 250)),
  longText: (field) => text(field, 10_000),
  email: () => matching({}, 254, email, 'bad-email').transform((value) => value.toLowerCase()),
  phone: () => matching({}, 16, /^\+[1-9]\d{6,14}$/, 'bad-phone'),
  url: () => matching({}, 2000, /^https?:\/\/[^\s/]+\.?[^\s]*$/i, 'bad-url'),
  code: (field) => matching(field, 64, anchored(field.pattern ?? '^[A-Z0-9][A-Z0-9-]{0,63}$'), 'bad-pattern'),
  integer: (field) => (field.options ? z.literal(Object.keys(field.options).map(Number)) : whole(field)),
  decimal: number,
  quantity: (field) => (field.digits === undefined || field.digits === 0 ? whole(field) : number(field)),
  percent: (field) => number({ min: field.min ?? 0, max: field.max ?? 100 }),
  bytes: (field) => whole({ min: field.min ?? 0, ...(field.max === undefined ? {} : { max: field.max }) }),
  boolean: () => z.boolean(),
  enum: choice,
  status: choice,
  date: () => z.string().refine(isDate, refuse('bad-date')),
  dateTime: () =>
    z
      .string()
      .refine(isTime, refuse('bad-time'))
      .transform((value) => new Date(value).toISOString()),
  duration: (field) => whole({ min: field.min ?? 0, ...(field.max === undefined ? {} : { max: field.max }) }),
  reference: () => idText,
  references: (field) => z.array(idText).max(field.maxItems ?? 100),
  tags: (field) => z.array(field.options ? z.enum(optionKeys(field.options)) : tag(field.pattern)).max(field.maxItems ?? 50),
  count: () => z.int().min(0),
  group: (field) => z.strictObject(shape(field.fields)),
  list: (field) => z.array(z.strictObject(shape(field.fields))).max(field.maxItems ?? 100),
  json: () => jsonValue,
  file: () => z.record(z.string(), z.unknown()),
  hex: (field) =>
    matching(
      {},
      field.bytes ? field.bytes * 2 : 4096,
      field.bytes ? new RegExp(`^[0-9A-Fa-f]{${field.bytes * 2}}$`) : /^(?:[0-9A-Fa-f]{2})+$/,
      'bad-hex',
    ),
  semver: () => matching({}, 64, semver, 'bad-semver'),
  timezone: () => matching({}, 64, /^[A-Za-z]/, 'bad-zone').refine(isZone, refuse('bad-zone')),
  secret: (field) =>
    z
      .string()
      .refine(storable, refuse('bad-text'))
      .min(field.minLength ?? 1)
      .max(field.maxLength ?? 128),
}

/** The zod schema of a field's value (never null): bounds, patterns and choices as in the definition. Text is trimmed. */
export function valueSchema(field: Field): z.ZodType {
  const make = schemas[field.type] as (field: Field) => z.ZodType
  return make(field)
}
