import type { Conversion } from '#schema/conversions.ts'
import type { Role } from '#schema/roles.ts'
import type { Rule } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'

/** Facts of every field. Absent means false. */
export type CommonFacts = {
  /** Label of the field, one text per language. */
  label: Label
  /** Help text below the input; required with a `pattern`. */
  help?: Label
  /** Text shown for an empty value, if emptiness has a meaning. */
  none?: Label
  /** The field must have a value on create and cannot be emptied later; a rule limits this to some records. */
  required?: true | Rule
  /** Unique across all records; of up to 600 characters. */
  unique?: true
  /** Set on create only. */
  immutable?: true
  /** Not in forms; set by actions or the server. A rule is evaluated on the stored record; new records are writable. */
  readOnly?: true | Rule
  /** Computed by the server on read; never stored or accepted. */
  derived?: true
  /** Included in the list's search. */
  search?: true
  /** Omitted from lists; only the single record has it. */
  detailOnly?: true
  /** Safety-critical: an action with a guard asks for a typed confirmation and a permission. */
  danger?: true
  /**
   * Step-up authentication: a new value is accepted only shortly after the caller has confirmed with a password or second
   * factor.
   */
  fresh?: true
  /** Sort key for default orders, with `ties` as tie-breaker; only used for sorting and never returned. */
  sortOnly?: { ties: { field: string; order: 'asc' | 'desc' } }
  /** Restricts reading or writing to these roles, among those with access to the record; default: all of them. */
  access?: { read?: readonly Role[]; write?: readonly Role[] }
  /** When the rule does not hold, the field is hidden and empty. Not for a part of a group or list. */
  when?: Rule
  /** Former names, most recent first: `npm run plan -- --apply` migrates their values. */
  was?: string | readonly string[]
  /** Conversion of values of the field's former type. */
  convert?: Conversion
  /** Value for existing rows when the field becomes required: a constant, `$now`, or `$record.` and another field. */
  backfill?: string | number | boolean
}

/** Facts of text types. */
export type Text = {
  /** Minimum length; default 1. */
  minLength?: number
  /** Maximum length. */
  maxLength?: number
}

/** Facts of numeric types. */
export type Range = {
  /** Minimum value. */
  min?: number
  /** Maximum value. */
  max?: number
}

/** Groups in the options of a reference, by the values of a key of the rows that `options` returns. */
export type OptionGroups = { by: string; labels: Readonly<Record<string, Label>> }

/** Choices whose labels changed places. */
type FormerLabels = {
  /** Former wrong labels by choice, each now the label of another choice: rows mean what the choice says today. */
  labelsWere?: Readonly<Record<string, string | readonly string[]>>
}

/** Renamed and removed choices. */
export type FormerChoices = FormerLabels & {
  /** Renamed choices, new key first: `{ REPAIR: 'FIX' }`. */
  choicesWere?: Readonly<Record<string, string>>
  /** Removed choices and their replacements; null clears the value. */
  choicesGone?: Readonly<Record<string, string | null>>
}

/** Facts of choices. */
export type Choice = {
  /** Values with their labels; a plain list when the values are their own labels. */
  options: readonly string[] | Readonly<Record<string, Label>>
}

export type GivenChoice = {
  /** Choices that only these roles may give, by choice, in forms of records and of actions that write the field, and in imports. Other choices are given by every role that may write the field. */
  givenBy?: Readonly<Record<string, readonly Role[]>>
}

export type NumberChoice = FormerLabels & {
  /** The allowed numbers with their labels. */
  options?: Readonly<Record<number, Label>>
}

/** A default computed on create. */
type Computed = '$now' | '$today' | '$user.id' | `${string}{${string}}${string}`

export type Preset<T> = {
  /**
   * Default of a new record: a constant, or `$now`, `$today`, `$user.id`, `{field}` of the same record; of a time also so many
   * days, weeks, months or years later or earlier: `$today+90d`, `{startsOn}+1y`. Of a field that is new, a constant is also
   * written to the records that are there.
   */
  default?: T | Computed
}

export type Pattern = {
  /** Regular expression for the whole text; `help` describes it. */
  pattern?: string
}

/** Values that are codes and read as words. */
export type Worded = {
  /**
   * Words for values that match a pattern, whose named groups fill the placeholders: with `^m(?<module>\d+)$` and
   * `module {module}`, `m9` reads "module 9". Other values are shown as they are.
   */
  worded?: { pattern: string; label: Label }
}

/** Numbers in a unit. */
export type FormerUnit = {
  /** Units that it said before, or fields that named them, though its values are in the present one: only relabelled. */
  unitWas?: string | readonly string[]
}

export type Digits = {
  /** Maximum number of decimals. */
  digits?: number
}

export type Items = {
  /** Maximum number of items. */
  maxItems?: number
}

/** Facts of references. */
export type Target = {
  /** Resource of the target records. */
  to: string
  /**
   * List of the options, `user?role=installer` or `board?siteId={siteId}` with form values as placeholders (in a part of
   * a group or list only `{id}`); enforced on both ends. A path that is not the list of a resource is enforced by the rules of its route.
   */
  options?: string
}

export type Parts<F> = {
  /** Nested fields, defined like those of a resource. */
  fields: F
}

/** A heading of parts of a group in a form. */
export type PartSection = {
  /** The heading. */
  label: Label
  /** Its parts, in order. */
  fields: readonly string[]
}
