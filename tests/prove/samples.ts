import { choicesOf, optionKeys } from '#schema/facts/choices.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { startsOf } from '#schema/form/start-states.ts'
import { valueSchema } from '#schema/value-schema.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const counted = (seed: number) => `${letters[seed % 26]}${String(seed).padStart(4, '0')}`

type Atom = { chars: string; least: number; most: number }

/** One character of a class like `[A-Z0-9_]`; the last of them tells two samples apart. */
function charsOf(text: string): string {
  if (text === '\\d') return '0123456789'
  if (text === '\\w' || text === '.') return 'abcdefghij'
  if (!text.startsWith('[')) return text.replace('\\', '')
  return text.slice(1, -1).replace(/(.)-(.)/g, (_, from: string, to: string) => {
    const length = to.charCodeAt(0) - from.charCodeAt(0) + 1
    return Array.from({ length }, (_, at) => String.fromCharCode(from.charCodeAt(0) + at)).join('')
  })
}

const timesOf = (quantifier: string | undefined): [number, number] => {
  if (!quantifier) return [1, 1]
  if (quantifier === '?') return [0, 1]
  if (quantifier === '*' || quantifier === '+') return [quantifier === '+' ? 1 : 0, 8]
  const [least = '1', most] = quantifier.slice(1, -1).split(',')
  return [Number(least), most === undefined ? Number(least) : Number(most || 8)]
}

/** A text that fits a plain pattern; undefined for one with branches or looks ahead. */
function fitting(pattern: string, seed: number): string | undefined {
  const plain = pattern.replace(/^\^|\$$/g, '')
  if (/[()|]/.test(plain)) return undefined
  const atoms: Atom[] = [...plain.matchAll(/(\[[^\]]+\]|\\.|[^\\])([?*+]|\{[\d,]+\})?/g)].map(([, chars = '', times]) => {
    const [least, most] = timesOf(times)
    return { chars: charsOf(chars), least, most }
  })
  let left = seed
  return atoms
    .toReversed()
    .map(({ chars, least, most }) =>
      Array.from({ length: Math.max(least, Math.min(most, 4)) }, () => {
        const char = chars[left % chars.length] ?? ''
        left = Math.floor(left / chars.length)
        return char
      })
        .reverse()
        .join(''),
    )
    .reverse()
    .join('')
}

const textOf = (field: Field & { minLength?: number; maxLength?: number; pattern?: string }, seed: number) =>
  field.pattern === undefined
    ? counted(seed)
        .padEnd(field.minLength ?? 1, 'x')
        .slice(0, field.maxLength ?? 100)
    : fitting(field.pattern, seed)

type Bounds = { min?: number; max?: number }
const fewNumbers = 50

const numberOf = ({ min, max }: Bounds, seed: number, most = fewNumbers) => {
  const low = Math.ceil(min ?? 1)
  return low + (seed % Math.max(1, Math.min(most, Math.floor((max ?? low + most) - low + 1))))
}

const partsOf = (fields: Fields, seed: number) =>
  Object.fromEntries(
    // Each part has a number of its own, so that a rule that compares two parts can hold.
    Object.entries(fields).flatMap(([name, part], index) => {
      const value = sampleOf(part, seed + index)
      return value === undefined ? [] : [[name, value]]
    }),
  )

const day = (seed: number) => `2027-03-${String(1 + (seed % 28)).padStart(2, '0')}`

/** A value of a field that points to nothing; undefined for other fields and for patterns that are not plain. */
function plainSample(field: Field, seed: number): unknown {
  switch (field.type) {
    case 'text':
    case 'longText':
    case 'code':
    case 'secret':
      return textOf(field, seed)
    case 'email':
      return `${counted(seed).toLowerCase()}@sample.example`
    case 'phone':
      return `+4930${String(1_000_000 + seed)}`
    case 'url':
      return `https://sample.example/${seed}`
    case 'integer':
      return field.options
        ? Number(Object.keys(field.options)[seed % Object.keys(field.options).length])
        : numberOf(field, seed)
    case 'decimal':
    case 'money':
    case 'quantity':
    case 'percent':
    case 'bytes':
    case 'duration':
      return numberOf(field, seed)
    case 'boolean':
      return seed % 2 === 0
    case 'enum':
      return choicesOf(field)[seed % choicesOf(field).length]
    case 'status':
      return startsOf(field)[0]
    case 'date':
      return day(seed)
    case 'dateTime':
      return `${day(seed)}T08:00:00.000Z`
    case 'tags':
      return field.options ? optionKeys(field.options).slice(0, 1) : ['sample']
    case 'group':
      return partsOf(field.fields, seed)
    case 'list':
      return [partsOf(field.fields, seed)]
    case 'json':
      return { seed }
    case 'hex':
      return seed
        .toString(16)
        .toUpperCase()
        .padStart(2 * (field.bytes ?? 2), '0')
    case 'semver':
      return `1.${seed}.0`
    case 'timezone':
      return seed % 2 === 0 ? 'Europe/Berlin' : 'Asia/Tokyo'
    default:
      return undefined
  }
}

/** Samples of numbers and days repeat after a few, near to the constants of rules; what is unique goes on. */
function endlessSample(field: Field, seed: number): unknown {
  const at = (most: number) => new Date(Date.UTC(2027, 2, 1) + (seed % most) * 86_400_000).toISOString()
  if (field.type === 'date') return at(30_000).slice(0, 10)
  if (field.type === 'dateTime') return at(30_000)
  const isNumber = typeof plainSample(field, seed) === 'number' && !('options' in field && field.options)
  return isNumber ? numberOf(field as Bounds, seed, Number.MAX_SAFE_INTEGER) : plainSample(field, seed)
}

/** A value of a field that is unique, alone or together with others. */
export function uniqueSample(field: Field, seed: number): unknown {
  const value = endlessSample(field, seed)
  return value !== undefined && valueSchema(field).safeParse(value).success ? value : sampleOf(field, seed)
}

/** A value that the field takes; another seed gives another one where there are several. */
export function sampleOf(field: Field, seed: number): unknown {
  const value = plainSample(field, seed)
  return value !== undefined && valueSchema(field).safeParse(value).success ? value : undefined
}

/** So many different items; undefined for fields whose items are no plain values. */
function manyOf(field: Field, count: number): unknown {
  const itemOf = (at: number) => (field.type === 'files' ? { id: `${at}` } : `item-${at}`)
  const hasItems =
    field.type === 'files' || field.type === 'references' || (field.type === 'tags' && !field.options && !field.pattern)
  return hasItems ? Array.from({ length: count }, (_, at) => itemOf(at)) : undefined
}

/** Values that the field does not take, each with what is wrong about it. */
export function wrongValues(field: Field): [string, unknown][] {
  const facts = field as { min?: number; max?: number; maxLength?: number; minLength?: number; maxItems?: number }
  const found: [string, unknown][] = [
    ['below the least', facts.min === undefined ? undefined : facts.min - 1],
    ['above the greatest', facts.max === undefined ? undefined : facts.max + 1],
    ['too long', facts.maxLength === undefined ? undefined : 'x'.repeat(facts.maxLength + 1)],
    ['too short', facts.minLength && facts.minLength > 1 ? 'x'.repeat(facts.minLength - 1) : undefined],
    ['of another kind', field.type === 'json' ? undefined : { not: 'it' }],
    ['too many', facts.maxItems === undefined ? undefined : manyOf(field, facts.maxItems + 1)],
    ['no choice', field.type === 'enum' || field.type === 'status' ? 'NO_SUCH_CHOICE' : undefined],
  ]
  return found.filter(([, value]) => value !== undefined && !valueSchema(field).safeParse(value).success)
}
