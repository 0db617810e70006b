import type { Conversion } from '#schema/conversions.ts'
import type { Role } from '#schema/roles.ts'
import type { Rule } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'

/** Facts of every field. Absent means no. */
export type CommonFacts = {
  /** Name of the field on both ends, a text per language. */
  label: Label
  /** A line below the input; needed beside a `pattern`. */
  help?: Label
  /** Meaning of an empty value, where it has one. */
  none?: Label
  /** A new record has a value, and no change empties it; a rule says for which records. */
  required?: true | Rule
  /** No two records have the same value. */
  unique?: true
  /** Set when the record is made, and never again. */
  immutable?: true
  /** No form has it; actions and the server set it. A rule closes it in records that are stored so; a new one is open. */
  readOnly?: true | Rule
  /** Computed by the server on read, never stored or sent. */
  derived?: true
  /** The list's search looks into it. */
  search?: true
  /** Left out of lists: only the single record carries it. */
  detailOnly?: true
  /** Safety-critical: an action with a guard asks for a typed confirmation and a permission. */
  danger?: true
  /** Step-up: a new value is taken from a caller only who has confirmed by password or second factor a short while ago. */
  fresh?: true
  /** A place in an order that lists open in, equal ones by `ties`: sorted by and nothing else, no record carries it. */
  sortOnly?: { ties: { field: string; order: 'asc' | 'desc' } }
  /** Roles that may read or write it, out of those that may do so with the record; without it all of them. */
  access?: { read?: readonly Role[]; write?: readonly Role[] }
  /** Where it does not hold the field is hidden and empty. */
  when?: Rule
  /** The names that it had before, the last one first: `npm run plan -- --apply` takes their values over. */
  was?: string | readonly string[]
  /** How the values of the type that it had become values of this one. */
  convert?: Conversion
  /** For the rows without a value when it becomes required: a constant, `$now`, or `$record.` and another field. */
  backfill?: string | number | boolean
}

/** Facts of texts. */
export type Text = {
  /** Least number of characters; 1 without it. */
  minLength?: number
  /** Greatest number of characters. */
  maxLength?: number
}

/** Facts of numbers. */
export type Range = {
  /** Least value. */
  min?: number
  /** Greatest value. */
  max?: number
}

/** Headings in the list of what a reference may point to: by the values of a key of the rows that `options` answers. */
export type OptionGroups = { by: string; labels: Readonly<Record<string, Label>> }

/** Choices that are called otherwise or are gone. */
export type FormerChoices = {
  /** Renamed choices, the present key first: `{ REPAIR: 'FIX' }`. */
  choicesWere?: Readonly<Record<string, string>>
  /** Choices that are gone, with the one that takes their place; null empties. */
  choicesGone?: Readonly<Record<string, string | null>>
}

/** Facts of choices. */
export type Choice = {
  /** The values with their labels; a plain list where the values are words of their own. */
  options: readonly string[] | Readonly<Record<string, Label>>
}

export type NumberChoice = {
  /** The only numbers that may be, each in words. */
  options?: Readonly<Record<number, Label>>
}

/** A default that is worked out when the record is made. */
type Computed = '$now' | '$today' | '$user.id' | `${string}{${string}}${string}`

export type Preset<T> = {
  /** Value of a new record that is given none: a constant, or `$now`, `$today`, `$user.id`, `{field}` of the same record. */
  default?: T | Computed
}

export type Pattern = {
  /** Regular expression that the whole text fits; `help` says in words what fits. */
  pattern?: string
}

/** Numbers in a unit. */
export type FormerUnit = {
  /** Units that it said before, or fields that named them, though its values are in the present one: only relabelled. */
  unitWas?: string | readonly string[]
}

export type Digits = {
  /** Most digits behind the point. */
  digits?: number
}

export type Items = {
  /** Most of them. */
  maxItems?: number
}

/** Facts of references. */
export type Target = {
  /** Resource of the records that it points to. */
  to: string
  /**
   * List of the choices, `user?role=installer` or `board?siteId={siteId}` with values of the form in the braces; both ends keep to it.
   * A path that is no list of a resource is kept by the rules of its route.
   */
  options?: string
}

export type Parts<F> = {
  /** Fields of its own, as those of a resource. */
  fields: F
}
