import type {
  Choice,
  CommonFacts,
  Digits,
  FormerChoices,
  FormerUnit,
  GivenChoice,
  Items,
  NumberChoice,
  OptionGroups,
  PartSection,
  Parts,
  Pattern,
  Preset,
  Range,
  Target,
  Text,
  Worded,
} from './facts/field-facts.ts'
import type { Flow } from './facts/flow-facts.ts'
import type { Bars, Division } from './facts/outlook-facts.ts'
import type { FileFacts, StoredFile } from './files.ts'
import type { Currency } from './format/money.ts'
import type { Unit } from './format/units.ts'
import type { Rule } from './rule.ts'
import type { Label } from './words.ts'

/** Display units by their English symbols. */
type Scale = 'none' | 'kW' | 'MW' | 'GW' | 'kWh' | 'MWh' | 'GWh' | 'V' | 's' | 'h' | 'd'

export const tones = ['idle', 'info', 'good', 'warn', 'bad'] as const
export type Tone = (typeof tones)[number]

/** One state of a status field. */
export type State = {
  tone: Tone
  label: Label
  /** Allowed next states; without it the state is final, or left by the server only. */
  next?: readonly string[]
}

/** One row per field type: its own facts, and the type of its value. */
export type FieldTypes = {
  /** Single-line text. */
  text: { facts: Text & Pattern & Worded & Preset<string>; value: string }
  /** Multi-line text. */
  longText: { facts: Text & Preset<string>; value: string }
  /** An e-mail address, stored in lower case. */
  email: { facts: Preset<string>; value: string }
  /** A phone number in international form. */
  phone: { facts: Preset<string>; value: string }
  /** A URL; shown as a link. */
  url: { facts: Preset<string>; value: string }
  /**
   * An identifier; letter case is adjusted to the pattern. Without a `pattern` it is of capitals, digits and hyphens: `ab-100` is stored as
   * `AB-100`.
   */
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
  /**
   * A measured value in a `unit`, which ends the name of the field: `energyWh`. `scale`: one unit for all values of the field, so
   * that they are compared by eye: a larger one, with one decimal, or with `none` the stored one. Default: each in its own.
   */
  quantity: { facts: Range & Digits & Preset<number> & FormerUnit & { unit: Unit; scale?: Scale }; value: number }
  /** A share in percent. */
  percent: { facts: Range & Digits & Preset<number>; value: number }
  /** A size in bytes, shown in a suitable unit. */
  bytes: { facts: Range & Preset<number>; value: number }
  /** Yes or no. */
  boolean: { facts: Preset<boolean>; value: boolean }
  /** One of several values. `order`: lists sort by label; default: order of declaration, as for states. */
  enum: { facts: Choice & GivenChoice & Preset<string> & FormerChoices & { order?: 'label' }; value: string }
  /**
   * The state of a record: one of `states`, each with its tone and next states. `starts`: the states allowed for a new record;
   * default: the `default`, else the states without an incoming transition.
   */
  status: {
    facts: Preset<string> & FormerChoices & { states: Readonly<Record<string, State>>; starts?: readonly string[] }
    value: string
  }
  /** A calendar day without time and zone. */
  date: { facts: Preset<string>; value: string }
  /**
   * An instant. `zone`: the zone it is shown and entered in, `site` for the record's own `timezone`, or that of one of its groups;
   * `relative`: shown as "5 minutes ago"; `seconds`: shown with seconds.
   */
  dateTime: { facts: Preset<string> & { zone?: 'utc' | 'user' | 'site'; relative?: true; seconds?: true }; value: string }
  /** A time in seconds, shown and typed in hours and minutes: `1 h 30 min`; a number alone is seconds. */
  duration: { facts: Range & Preset<number>; value: number }
  /**
   * A record of another resource. `fills`: form fields that take the same-named values of the picked record, where they are
   * empty. `groups`: groups in the options. `circular`: records may reference one another in a cycle; without it a
   * self-reference forms a tree.
   */
  reference: {
    facts: Target & Preset<string> & { groups?: OptionGroups; fills?: readonly string[]; circular?: true }
    value: string
  }
  /** Several records of another resource, without duplicates. */
  references: { facts: Target & Items; value: string[] }
  /**
   * Several words, from `options` or free. `runs`: the options are ordered, and consecutive ones are shown as a range. `valuesOf`: free
   * words, where the form offers those that a text field of a resource has, `ess.location.region`.
   */
  tags: { facts: Partial<Choice> & Pattern & Items & FormerChoices & { runs?: true; valuesOf?: string }; value: string[] }
  /** Number of records of `of` that reference this one by `by` and satisfy `where`; computed on read. */
  count: { facts: { of?: string; by?: string; where?: Rule }; value: number }
  /**
   * Nested fields under one name: `location.city`. `line`: single-line text with the parts as placeholders. `flow`: `parts` are drawn as
   * what enters and leaves a whole, each with icon, direction and value; below `restBelow` they are at rest. `sections`: headings of its
   * parts in a form; parts of no section come last. A part is no secret, and no status, count or tree that a form writes.
   */
  group: {
    facts: Parts<Fields> & { line?: string; flow?: Flow; sections?: readonly PartSection[] }
    value: Record<string, unknown>
  }
  /**
   * Rows of nested fields, stored with the record. `divides`: they divide the form's outlook. `bars`: a record shows them as
   * bars, labelled by the part `by` and stacked from the parts in `counts`, each with a tone. A row holds no further list and
   * no file: rows with rows of their own are a resource that refers to this one. A changed list replaces its rows, so that
   * their parts have no `access`, `readOnly`, `immutable` or `fresh`; the list has.
   */
  list: { facts: Parts<Fields> & Items & { divides?: Division; bars?: Bars }; value: Record<string, unknown>[] }
  /** Any JSON; shown as text. */
  json: { facts: Preset<unknown>; value: unknown }
  /**
   * One file. `sent: 'alone'`: the create request has the file as its whole body, read by the resource's server rules; a new record is
   * asked for nothing else, and its other fields are edited afterwards.
   */
  file: { facts: FileFacts & { sent?: 'alone' }; value: StoredFile }
  /** Several files. */
  files: { facts: FileFacts & Items; value: StoredFile[] }
  /** Bytes in hexadecimal, stored in capitals without separators. `bytes`: their number. */
  hex: { facts: { bytes?: number }; value: string }
  /** A version such as `1.20.3`, compared by its parts. */
  semver: { facts: Preset<string>; value: string }
  /** An IANA time zone, `Europe/Berlin`. */
  timezone: { facts: Preset<string>; value: string }
  /**
   * Write-only: a password, a key. No answer has it; that of a single record says by `passwordIsSet` whether there is one. On edit
   * null removes it, and a body without it leaves it. It is stored as it is: who reads the database or a backup reads it.
   */
  secret: { facts: Text; value: string }
}

export type FieldType = keyof FieldTypes

/** How a type is compared and filtered in lists; `none`: neither filtered nor sorted. */
export type Comparison = 'text' | 'number' | 'time' | 'boolean' | 'choice' | 'reference' | 'references' | 'tags' | 'none'

type Traits = {
  /** PostgreSQL column type. */
  column: 'text' | 'int8' | 'float8' | 'numeric' | 'bool' | 'date' | 'timestamptz' | 'jsonb'
  compare: Comparison
  /** Format of a CSV cell. */
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
    | 'duration'
    | 'file'
    | 'none'
  /** Shown in a list by default, by the viewer's choice, or only when named by the definition. */
  listed: 'default' | 'chosen' | 'named'
  /** Allowed as the title of a record. */
  title: boolean
  search: boolean
  /** Can be imported from a CSV cell. */
  imported: boolean
  /** An empty value in an action's form has no meaning; for other types it may mean "no one" or "ended". */
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

/** One row per field type: the behaviour that lists, exports, imports and the database derive. */
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
  duration: { ...whole, cell: 'duration' },
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

/** Union of the types with a comparison. */
export type TypesCompared<C extends Comparison> = {
  [T in FieldType]: (typeof traits)[T]['compare'] extends C ? T : never
}[FieldType]

export const traitsOf = (field: { type: FieldType }): Traits => traits[field.type]

/** A field that a definition may name as its title: a text that names a record, or a choice where a record has no name. */
export const mayBeTitle = (field: { type: FieldType }): boolean => traitsOf(field).title || traitsOf(field).compare === 'choice'

/** A field of one type: the facts of every field and its own. */
export type FieldOf<T extends FieldType> = CommonFacts & { type: T } & FieldTypes[T]['facts']
export type Field = { [T in FieldType]: FieldOf<T> }[FieldType]
export type Fields = { readonly [name: string]: Field }

type OptionsOf<O> = O extends readonly (infer V)[] ? V : O extends object ? keyof O & string : string

/** Value type of a field, without null. */
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

/** Values of a set of fields: required ones are non-null. */
export type ValuesOf<G> = { [K in keyof G]: G[K] extends { required: true } ? ValueOf<G[K]> : ValueOf<G[K]> | null }

/** A file that is the whole body of the request that creates its record. */
export const isSentAlone = (field: Field): boolean => field.type === 'file' && field.sent === 'alone'

export const holdsFiles = (field: Field): field is FieldOf<'file'> | FieldOf<'files'> =>
  field.type === 'files' || (field.type === 'file' && !isSentAlone(field))

/** Names of the safety-critical fields, including those that contain one. */
export const dangersOf = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field?.danger || (field && 'fields' in field && dangersOf(field.fields).length > 0)
  })
