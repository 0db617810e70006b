// Patterns and lengths of texts come with this part.
import './later/action-forms.ts'
import { z } from 'zod'
import { choicesOf, optionKeys } from './facts/choices.ts'
import { longestText } from './facts/longest-text.ts'
import type { FaultCode } from './faults.ts'
import type { Field, FieldOf, Fields, FieldType, FieldTypes } from './field-types.ts'
import { mostFiles } from './files.ts'
import { decimalsOf, isExact, mostFigures } from './format/exact.ts'
import { isZone } from './format/known-zones.ts'
import { moneyDigits } from './format/money.ts'
import { asDialled, inCapitals, storable, upright, visible } from './format/plain-text.ts'
import { firstYear, isDate, isSinceFirstYear, isTime } from './format/time-text.ts'

/** A custom check. */
const refuse = (code: FaultCode, facts?: Readonly<Record<string, number>>) => ({ params: { code, facts } })
type Refusal = ReturnType<typeof refuse>

type Lengths = { minLength?: number; maxLength?: number }
const asTyped = (value: string) => value
const longText = (facts: Lengths, max: number, inForm: (value: string) => string = asTyped) =>
  z
    .string()
    .overwrite(visible)
    .trim()
    .overwrite(inForm)
    .refine(storable, refuse('bad-text'))
    .min(facts.minLength ?? 1)
    .max(facts.maxLength ?? max)
/** A text of one line. */
const text = (facts: Lengths, max: number, inForm = asTyped) => longText(facts, max, (value) => inForm(upright(value).trim()))
/**
 * Upper-cased only if that makes the code match: `ess-9001`, `a1`. ASCII letters only: others could become different letters.
 */
const inCase = (pattern: RegExp, max: number) => (value: string) => {
  if (value.length > max) return value
  const upper = value.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  return !pattern.test(value) && pattern.test(upper) ? upper : value
}
/**
 * Exposes the pattern in the OpenAPI description, so it must accept exactly what is accepted here. A text that is too long is
 * not matched: a check of the definitions judges a pattern by the longest text of its field.
 */
const matching = (facts: Lengths, max: number, pattern: RegExp, refusal: Refusal, inForm = asTyped) =>
  text(facts, max, inForm)
    .refine((value) => value.length > (facts.maxLength ?? max) || pattern.test(value), refusal)
    .meta({ pattern: pattern.source })
/** The expression that the pattern of a field stands for: it describes the whole text. */
export const anchored = (pattern: string) => new RegExp(pattern.startsWith('^') ? pattern : `^(?:${pattern})$`, 'u')

function range<S extends z.ZodNumber>(schema: S, facts: { min?: number; max?: number }): S {
  const low = facts.min === undefined ? schema : (schema.min(facts.min) as S)
  return facts.max === undefined ? low : (low.max(facts.max) as S)
}
const whole = (facts: { min?: number; max?: number }) => range(z.int(), facts)
const number = (facts: { min?: number; max?: number }) => range(z.number(), facts)

/** A number stored as written: excess digits are rejected, never rounded. */
function exact(facts: { min?: number; max?: number }, digits = mostFigures): z.ZodType {
  const fits = (value: number) => decimalsOf(value) <= digits
  return number(facts)
    .refine(isExact, { ...refuse('too-many-figures', { max: mostFigures }), abort: true })
    .refine(fits, refuse('too-many-decimals', { digits }))
}

const email =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/
const semver = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,32})?$/
const written = (isOne: (value: string) => boolean, code: FaultCode) =>
  z
    .string()
    .refine(isOne, { ...refuse(code), abort: true })
    .refine(isSinceFirstYear, refuse('too-early', { year: firstYear }))
const idText = z.string().min(1).max(64).refine(storable, refuse('bad-text'))
const jsonValue = z.unknown()

const shape = (fields: Fields) => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]))
const optional = (field: Field) => (field.required === true ? valueSchema(field) : valueSchema(field).nullish())
const isDistinct = (items: readonly unknown[]) => new Set(items).size === items.length
/** Items of a field; a required one has at least one. */
const several = <Item extends z.ZodType>(item: Item, { required }: Field, max: number) =>
  z
    .array(item)
    .min(required === true ? 1 : 0)
    .max(max)
const distinct = (item: z.ZodType, field: Field, max: number) =>
  several(item, field, max).refine(isDistinct, refuse('repeated'))
const tag = (pattern: string | undefined) =>
  pattern ? matching({}, longestText.tags, anchored(pattern), refuse('bad-pattern')) : text({}, longestText.tags)
const choice = (field: FieldOf<'enum'> | FieldOf<'status'>) => z.enum(choicesOf(field))

const length = { minLength: true, maxLength: true } as const
const bounds = { min: true, max: true, default: true } as const
const preset = { default: true } as const
const former = { choicesWere: true, choicesGone: true, labelsWere: true } as const
const ofFiles = { maxBytes: true, accept: true } as const
const fileShape = { name: z.string().max(250), sizeBytes: z.int().min(0), sha256: z.string().max(64) }
/** A request names a stored file by its id; the other properties are optional. */
const storedFile = z.object({ id: idText, type: z.string().max(100).optional(), ...z.object(fileShape).partial().shape })
const wholeOr0 = ({ min = 0, max }: { min?: number; max?: number }) => whole({ min, ...(max === undefined ? {} : { max }) })

/** Facts of a type beyond the common ones, and its value schema. */
type ValueRow<T extends FieldType> = {
  facts: { readonly [F in keyof FieldTypes[T]['facts']]-?: true }
  schema: (field: FieldOf<T>) => z.ZodType
}

const rows: { [T in FieldType]: ValueRow<T> } = {
  text: {
    facts: { ...length, ...preset, pattern: true, worded: true },
    schema: (field) =>
      field.pattern
        ? matching(field, longestText.text, anchored(field.pattern), refuse('bad-pattern'))
        : text(field, longestText.text),
  },
  longText: { facts: { ...length, ...preset }, schema: (field) => longText(field, longestText.longText) },
  email: {
    facts: preset,
    schema: () =>
      matching({}, longestText.email, email, refuse('bad-email'))
        .meta({ format: 'email' })
        .transform((value) => value.toLowerCase()),
  },
  phone: { facts: preset, schema: () => matching({}, longestText.phone, /^\+[1-9]\d{6,14}$/, refuse('bad-phone'), asDialled) },
  url: { facts: preset, schema: () => matching({}, longestText.url, /^https?:\/\/[^\s/]+\.?[^\s]*$/i, refuse('bad-url')) },
  code: {
    facts: { ...length, ...preset, pattern: true },
    schema: (field) => {
      const pattern = anchored(field.pattern ?? '^[A-Z0-9][A-Z0-9-]{0,63}$')
      const { maxLength = longestText.code } = field
      return matching(field, maxLength, pattern, refuse('bad-pattern'), inCase(pattern, maxLength))
    },
  },
  integer: {
    facts: { ...bounds, options: true, labelsWere: true },
    schema: (field) => (field.options ? z.literal(Object.keys(field.options).map(Number)) : whole(field)),
  },
  decimal: { facts: { ...bounds, digits: true, unitOf: true, unitWas: true }, schema: (field) => exact(field, field.digits) },
  money: {
    facts: { ...bounds, currency: true, currencyOf: true, digits: true },
    schema: (field) => exact(field, moneyDigits(field)),
  },
  quantity: {
    facts: { ...bounds, unit: true, unitWas: true, digits: true, scale: true },
    schema: (field) => (field.digits === undefined || field.digits === 0 ? whole(field) : number(field)),
  },
  percent: {
    facts: { ...bounds, digits: true },
    schema: ({ min = 0, max = 100, digits }) => (digits === undefined ? number({ min, max }) : exact({ min, max }, digits)),
  },
  bytes: { facts: bounds, schema: wholeOr0 },
  boolean: { facts: preset, schema: () => z.boolean() },
  enum: { facts: { ...preset, ...former, options: true, givenBy: true, order: true }, schema: choice },
  status: { facts: { ...preset, ...former, states: true, starts: true }, schema: choice },
  date: { facts: preset, schema: () => written(isDate, 'bad-date').meta({ format: 'date' }) },
  dateTime: {
    facts: { ...preset, zone: true, relative: true, seconds: true },
    schema: () =>
      written(isTime, 'bad-time')
        .meta({ format: 'date-time' })
        .transform((value) => new Date(value).toISOString()),
  },
  duration: { facts: bounds, schema: wholeOr0 },
  reference: {
    facts: { ...preset, to: true, options: true, groups: true, fills: true, circular: true },
    schema: () => idText,
  },
  references: {
    facts: { to: true, options: true, maxItems: true },
    schema: (field) => distinct(idText, field, field.maxItems ?? 100),
  },
  tags: {
    facts: { ...former, options: true, pattern: true, maxItems: true, runs: true, valuesOf: true },
    schema: (field) =>
      distinct(field.options ? z.enum(optionKeys(field.options)) : tag(field.pattern), field, field.maxItems ?? 50),
  },
  count: { facts: { of: true, by: true, where: true }, schema: () => z.int().min(0) },
  group: {
    facts: { fields: true, line: true, flow: true, sections: true },
    schema: (field) => z.strictObject(shape(field.fields)),
  },
  list: {
    facts: { fields: true, maxItems: true, divides: true, bars: true },
    schema: (field) => several(z.strictObject(shape(field.fields)), field, field.maxItems ?? 100),
  },
  json: { facts: preset, schema: () => jsonValue },
  file: {
    facts: { ...ofFiles, sent: true },
    schema: ({ sent }) => (sent === 'alone' ? z.looseObject(fileShape) : storedFile),
  },
  files: {
    facts: { ...ofFiles, maxItems: true },
    schema: (field) =>
      several(storedFile, field, field.maxItems ?? mostFiles).refine(
        (files) => isDistinct(files.map(({ id }) => id)),
        refuse('repeated'),
      ),
  },
  hex: {
    facts: { bytes: true },
    schema: ({ bytes }) => {
      const digits = (bytes ?? 0) * 2
      const exactly = new RegExp(`^[0-9A-Fa-f]{${digits}}$`)
      // One fault says the number of digits, so that the usual length does not judge before it.
      return digits > 0
        ? matching({}, Math.max(digits, longestText.hex), exactly, refuse('hex-digits', { digits }), inCapitals)
        : matching({}, longestText.hex, /^(?:[0-9A-Fa-f]{2})+$/, refuse('bad-hex'), inCapitals)
    },
  },
  semver: { facts: preset, schema: () => matching({}, longestText.semver, semver, refuse('bad-semver')) },
  timezone: {
    facts: preset,
    schema: () => matching({}, longestText.timezone, /^[A-Za-z]/, refuse('bad-zone')).refine(isZone, refuse('bad-zone')),
  },
  secret: {
    facts: length,
    schema: (field) =>
      z
        .string()
        .refine(storable, refuse('bad-text'))
        .min(field.minLength ?? 1)
        .max(field.maxLength ?? 128),
  },
}

export const factsOf = (type: FieldType): string[] => Object.keys(rows[type].facts)

/** The zod schema of a field's non-null value: bounds, patterns and choices. Text is trimmed. */
export function valueSchema(field: Field): z.ZodType {
  const make = rows[field.type].schema as (field: Field) => z.ZodType
  return make(field)
}

/** Brings texts of a field into the form in which they are stored: case and separators. A text that does not fit stays as it is. */
export function storedTexts(field: Field | undefined): (text: string) => string {
  if (!field) return (text) => text
  const schema = valueSchema(field)
  return (text) => {
    const { data } = schema.safeParse(text)
    return typeof data === 'string' ? data : text
  }
}
