import type { Label } from '#schema/words.ts'

/** A value that an action sends or sets: a constant, or `$now`, `$zone`, `$user.id`, `$record.x`, `$row.x`, `$form.x`, `$from.x`. */
export type Template = string | number | boolean | null

/**
 * Asked for while a form is filled in, as soon as every value of the query is there: `[{ checks: [{ code, ok, text, found }] }]`.
 * The server holds the request itself against the same conditions.
 */
export type Checks = {
  /** Path of the call that answers them. */
  from: string
  /** Parameters of the call. */
  query: Readonly<Record<string, Template>>
  /** The call takes several records at once, each parameter of the record repeated, and answers one row for each in their order. */
  many?: true
  /** Text field of the form that asks why it is to go ahead; shown where every failed check is `overridable`. */
  override?: string
}

/** Question before an action runs. */
export type Confirm = {
  /** Heading of the dialog; without it the label of the action. */
  title?: Label
  /** Consequence for the record. */
  body: Label
  /** The same for several records. */
  many?: Label
  /** The button is red, and the keyboard begins on the other one. */
  danger?: true
  /**
   * Name of a required text of the record, as in `code`: its value has to be typed before the action runs. On a selection of many it is the
   * number of records.
   */
  typeToConfirm?: string
  /** Shows the outlook of the record: how many records it takes in now, and which first. */
  outlook?: true
  /** It has to be typed only where the outlook counts more records than this. */
  typeAbove?: number
}

/**
 * A secret that an action answers under the name `value`. The console shows it once, in a dialog with `text` beside it; neither end keeps
 * it, so that asking again makes another. For many records at once it is saved as a table.
 */
export type Reveal = {
  /** Name of the secret in the answer. */
  value: string
  /** Its name in the dialog. */
  label: Label
  /** Advice beside it. */
  text: Label
  /** Command that tries it, where `{secret}` is the secret and `{origin}` the address of the console. */
  command?: string
}

/**
 * Guarded values of a form. The answer of the action's `from` lists at `fields` the values of `group` that are guarded, and at
 * `refusal` why the viewer may not change them; null = allowed. A change needs the record's `equals` typed into the form's
 * `confirm`.
 */
export type Guard = {
  /** Group of the form with the values. */
  group: string
  /** Where the answer of `from` names the guarded ones. */
  fields: string
  /** Where it says why the viewer may not change them. */
  refusal: string
  /** Field of the form that takes the typed confirmation. */
  confirm: string
  /** Value of the record that has to be typed. */
  equals: string
  /** `{value}` is what has to be typed. */
  ask: Label
  /** Words for each reason of a refusal. */
  refusals: Readonly<Record<string, Label>>
}
