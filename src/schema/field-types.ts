import type {
  Choice,
  CommonFacts,
  Digits,
  FormerChoices,
  FormerUnit,
  Items,
  NumberChoice,
  OptionGroups,
  Parts,
  Pattern,
  Preset,
  Range,
  Target,
  Text,
} from './facts/field-facts.ts'
import type { Bars, Division } from './facts/outlook-facts.ts'
import type { FileFacts, StoredFile } from './files.ts'
import type { Currency } from './format/money.ts'
import type { Unit } from './format/units.ts'
import type { Rule } from './rule.ts'
import type { Label } from './words.ts'

export const tones = ['idle', 'info', 'good', 'warn', 'bad'] as const
export type Tone = (typeof tones)[number]

/** One state of a status field. */
export type State = {
  tone: Tone
  label: Label
  /** States that may follow; without it the state is final, or set by the server. */
  next?: readonly string[]
}

/** A row per field type: the facts that it adds to the common ones, and the value that a record carries. */
export type FieldTypes = {
  /** A short text on one line. */
  text: { facts: Text & Pattern & Preset<string>; value: string }
  /** A text of several lines. */
  longText: { facts: Text & Preset<string>; value: string }
  /** An address, kept in lower case. */
  email: { facts: Preset<string>; value: string }
  /** A telephone number in international form. */
  phone: { facts: Preset<string>; value: string }
  /** A web address; shown as a link. */
  url: { facts: Preset<string>; value: string }
  /** An identifier; letters in either case are taken as the pattern has them. */
  code: { facts: Text & Pattern & Preset<string>; value: string }
  /** A whole number. */
  integer: { facts: Range & NumberChoice & Preset<number>; value: number }
  /** Any number, kept and compared exactly. `unitOf`: the field that names the unit of its value. */
  decimal: { facts: Range & Digits & Preset<number> & FormerUnit & { unitOf?: string }; value: number }
  /** An amount, kept exactly: of one `currency`, or of the one that the field `currencyOf` of the record holds. */
  money: {
    facts: Range & Digits & Preset<number> & { currency?: Currency; currencyOf?: string }
    value: number
  }
  /** A measured value in a `unit`, which ends the name of the field: `energyWh`. `scale`: `none` shows it in no larger unit. */
  quantity: { facts: Range & Digits & Preset<number> & FormerUnit & { unit: Unit; scale?: 'auto' | 'none' }; value: number }
  /** A share in percent. */
  percent: { facts: Range & Digits & Preset<number>; value: number }
  /** A size in bytes, shown in the unit that fits. */
  bytes: { facts: Range & Preset<number>; value: number }
  /** Yes or no. */
  boolean: { facts: Preset<boolean>; value: boolean }
  /** One of some values. `order`: lists sort by the shown label; without it by the order of declaration, as they do for states. */
  enum: { facts: Choice & Preset<string> & FormerChoices & { order?: 'label' }; value: string }
  /**
   * The state of a record: one of `states`, each with its tone and those that may follow. `starts`: the states that a new record may
   * have; without it the default, else those that no other leads to.
   */
  status: {
    facts: Preset<string> & FormerChoices & { states: Readonly<Record<string, State>>; starts?: readonly string[] }
    value: string
  }
  /** A day without time and zone. */
  date: { facts: Preset<string>; value: string }
  /** A moment. `zone`: in which it is shown; `relative`: as "5 minutes ago"; `seconds`: with them. */
  dateTime: { facts: Preset<string> & { zone?: 'utc' | 'user' | 'site'; relative?: true; seconds?: true }; value: string }
  /** A time in seconds, shown in hours and minutes. */
  duration: { facts: Range & Preset<number>; value: number }
  /**
   * A record of another resource. `fills`: fields of the form that take over the same-named values of the record that is picked, as
   * far as they are empty. `groups`: headings in the list of choices. `circular`: its records may point to one another in a circle;
   * without it a reference to the own resource makes a tree.
   */
  reference: {
    facts: Target & Preset<string> & { groups?: OptionGroups; fills?: readonly string[]; circular?: true }
    value: string
  }
  /** Several records of another resource, each once. */
  references: { facts: Target & Items; value: string[] }
  /** Several words, out of `options` or free. `runs`: the options are ordered, so that consecutive ones are shown as a range. */
  tags: { facts: Partial<Choice> & Pattern & Items & FormerChoices & { runs?: true }; value: string[] }
  /** Number of the records of `of` that point here by `by` and fit `where`; computed on read. */
  count: { facts: { of?: string; by?: string; where?: Rule }; value: number }
  /** Fields of their own under one name: `location.city`. `line`: how it reads as one line, with its parts in the braces. */
  group: { facts: Parts<Fields> & { line?: string }; value: Record<string, unknown> }
  /**
   * Rows of some fields, kept with the record. `divides`: they divide the outlook of the form. `bars`: a record draws them as bars, each named
   * by its part `by` and stacked of the parts in `counts`, which have a tone each.
   */
  list: { facts: Parts<Fields> & Items & { divides?: Division; bars?: Bars }; value: Record<string, unknown>[] }
  /** Any JSON; shown as text. */
  json: { facts: Preset<unknown>; value: unknown }
  /** One file. `sent: 'alone'`: the call that makes the record is the file and nothing else; the rules of the resource read it. */
  file: { facts: FileFacts & { sent?: 'alone' }; value: StoredFile }
  /** Several files. */
  files: { facts: FileFacts & Items; value: StoredFile[] }
  /** Bytes in hexadecimal; gaps and colons are taken out. `bytes`: how many there are. */
  hex: { facts: { bytes?: number }; value: string }
  /** A version, `1.20.3`; compared by its parts. */
  semver: { facts: Preset<string>; value: string }
  /** An IANA time zone, `Europe/Berlin`. */
  timezone: { facts: Preset<string>; value: string }
  /** Written and never read back: a password, a key. */
  secret: { facts: Text; value: string }
}

export type FieldType = keyof FieldTypes

/** Comparison of a type in lists and its filter control; `none`: neither filtered nor sorted. */
export type Comparison = 'text' | 'number' | 'time' | 'boolean' | 'choice' | 'reference' | 'references' | 'tags' | 'none'

type Traits = {
  /** Type of its column in PostgreSQL. */
  column: 'text' | 'int8' | 'float8' | 'numeric' | 'bool' | 'date' | 'timestamptz' | 'jsonb'
  compare: Comparison
  /** Form of its value in a cell of a CSV file. */
  cell:
    | 'text'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'date'
    | 'moment'
    | 'reference'
    | 'references'
    | 'tags'
    | 'group'
    | 'file'
    | 'none'
  /** A list shows it unasked, when it is chosen, or only when the definition names it. */
  listed: 'default' | 'chosen' | 'named'
  /** May be the title of a record. */
  title: boolean
  search: boolean
  /** A cell of an imported file can hold it. */
  imported: boolean
  /** An empty value in the form of an action means nothing; for other types it may mean "no one" or "ended". */
  emptyIsNothing: boolean
}

const plain = { listed: 'default', title: false, search: false, imported: true, emptyIsNothing: false } as const
const text = { ...plain, column: 'text', compare: 'text', cell: 'text', search: true } as const
const line = { ...text, emptyIsNothing: true } as const
const whole = { ...plain, column: 'int8', compare: 'number', cell: 'number' } as const
const real = { ...whole, column: 'float8' } as const
const exact = { ...whole, column: 'numeric' } as const
const choice = { ...plain, column: 'text', compare: 'choice', cell: 'choice' } as const
const time = { ...plain, compare: 'time' } as const
const nested = { ...plain, column: 'jsonb', compare: 'none', cell: 'text', listed: 'named', imported: false } as const

const stored = { ...nested, cell: 'file', listed: 'chosen', emptyIsNothing: true } as const

/** A row per field type: the behaviour that lists, exports, imports and the database derive from it. */
export const traits = {
  text: { ...line, title: true },
  longText: { ...line, listed: 'named' },
  email: { ...line, title: true },
  phone: line,
  url: line,
  code: { ...line, title: true },
  integer: whole,
  decimal: exact,
  money: exact,
  quantity: real,
  percent: real,
  bytes: whole,
  boolean: { ...plain, column: 'bool', compare: 'boolean', cell: 'boolean' },
  enum: choice,
  status: choice,
  date: { ...time, column: 'date', cell: 'date' },
  dateTime: { ...time, column: 'timestamptz', cell: 'moment' },
  duration: whole,
  reference: { ...plain, column: 'text', compare: 'reference', cell: 'reference' },
  references: { ...nested, compare: 'references', cell: 'references', listed: 'chosen', imported: true },
  tags: { ...nested, compare: 'tags', cell: 'tags', listed: 'chosen', imported: true },
  count: { ...whole, imported: false },
  group: { ...nested, cell: 'group' },
  list: nested,
  json: nested,
  file: stored,
  files: stored,
  hex: text,
  semver: { ...text, title: true },
  timezone: { ...text, search: false },
  secret: { ...line, compare: 'none', cell: 'none', listed: 'named', search: false, imported: false },
} as const satisfies Record<FieldType, Traits>

/** The types that are compared in a way: a union. */
export type TypesCompared<C extends Comparison> = {
  [T in FieldType]: (typeof traits)[T]['compare'] extends C ? T : never
}[FieldType]

/** The traits of a field's type. */
export const traitsOf = (field: { type: FieldType }): Traits => traits[field.type]

export type FieldOf<T extends FieldType> = CommonFacts & { type: T } & FieldTypes[T]['facts']
/** A field of any type, discriminated by `type`. */
export type Field = { [T in FieldType]: FieldOf<T> }[FieldType]
export type Fields = { readonly [name: string]: Field }

type OptionsOf<O> = O extends readonly (infer V)[] ? V : O extends object ? keyof O & string : string

/** Value type of a field's definition, without null. */
export type ValueOf<F> = F extends { type: 'enum'; options: infer O }
  ? OptionsOf<O>
  : F extends { type: 'status'; states: infer S }
    ? keyof S & string
    : F extends { type: 'group'; fields: infer G }
      ? ValuesOf<G>
      : F extends { type: 'list'; fields: infer G }
        ? ValuesOf<G>[]
        : F extends { type: infer T extends FieldType }
          ? FieldTypes[T]['value']
          : never

/** The values of a set of fields: required ones are there, the others may be null. */
export type ValuesOf<G> = { [K in keyof G]: G[K] extends { required: true } ? ValueOf<G[K]> : ValueOf<G[K]> | null }

/** A field whose values are stored files. */
export const holdsFiles = (field: Field): field is FieldOf<'file'> | FieldOf<'files'> =>
  field.type === 'files' || (field.type === 'file' && field.sent !== 'alone')

export const optionKeys = (options: Choice['options']): string[] =>
  isPlainOptions(options) ? [...options] : Object.keys(options)

/** The fields whose wrong value can hurt, or that hold such a one. */
export const dangersOf = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field?.danger || (field && 'fields' in field && dangersOf(field.fields).length > 0)
  })

/** The keys of an enum's options or a status field's states, in the order of the definition. */
export function choicesOf(field: FieldOf<'enum'> | FieldOf<'status'>): string[] {
  return field.type === 'status' ? Object.keys(field.states) : optionKeys(field.options)
}

/** The label of a choice; a choice without one is its own label. */
export function choiceLabel(field: FieldOf<'enum'> | FieldOf<'status'>, value: string): Label {
  if (field.type === 'status') return field.states[value]?.label ?? [value, value]
  return (isPlainOptions(field.options) ? undefined : field.options[value]) ?? [value, value]
}

const isPlainOptions = (options: Choice['options']): options is readonly string[] => Array.isArray(options)
