import type { Rule } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'

/** A value that an action sends or sets: a constant, or `$now`, `$zone`, `$user.id`, `$record.x`, `$row.x`, `$form.x`, `$from.x`. */
export type Template = string | number | boolean | null

/**
 * Server-side checks while a form is filled in, requested as soon as all values of the query are present: `[{ checks: [{ code,
 * ok, text, obstacle, found }] }]`. `text` says what must be, `obstacle` what is wrong where it is not. The server applies the
 * same conditions to the request itself.
 */
export type Checks = {
  /** Path of the call that returns the checks. */
  from: string
  /** Parameters of the call. */
  query: Readonly<Record<string, Template>>
  /**
   * The call accepts several records, with each record parameter repeated, and returns one row per record in the same order.
   * `only`: it is asked of several alone, because the form of one record offers no value that would be refused.
   */
  many?: true | 'only'
  /** Form field for the override reason; shown when every failed check is `overridable`. */
  override?: string
}

/** One consequence that depends on the record. */
export type Consequence = {
  /** Condition on the record; absent: always. A field that the record on screen lacks counts as met. */
  when?: Rule
  /** The sentence; `{path}` is a number or text of the record. */
  text: Label
}

/**
 * Rows of a related tab that end. `label` may hold their `{count}`. `from`: the call that returns them; default: that of the tab.
 * `when`: which rows; default: all.
 */
export type Ends = { tab: string; label: Label; from?: string; when?: Rule }

/** Confirmation before an action runs. */
export type Confirm = {
  /** Title of the dialog; default: the label of the action. */
  title?: Label
  /** Text that states the consequence. */
  body: Label
  /** Sentences after the text, each for the records that it is true of. */
  also?: readonly Consequence[]
  /** The text for several records; it stands alone. */
  many?: Label
  /** The button is red, and the focus starts on Cancel; or the condition on the record under which it is. */
  danger?: true | Rule
  /**
   * Name of a required text field of the record, such as `code`: its value must be typed to run the action. In a bulk action
   * the number of records that it can be done with must be typed.
   */
  typeToConfirm?: string
  /** Shows the outlook of the record: how many records it covers now, and the first of them. */
  outlook?: true
  /** The typed confirmation is required only above this count of the outlook. */
  typeAbove?: number
}

/** Texts of the dialog that deletes a record. */
export type Deletion = {
  /** States what happens to every record. */
  body: Label
  /** Sentences after it, each for the records that it is true of. */
  also?: readonly Consequence[]
  /** A sentence without a full stop, added where other records refer to the record: what to do instead. */
  instead?: Label
}

/**
 * A secret in the action's answer, named `value`. The console shows it once, in a dialog with `text`; neither end stores it, so
 * requesting it again creates a new one. A bulk action saves the secrets as a table.
 */
export type Reveal = {
  /** Key of the secret in the answer. */
  value: string
  /** Its name in the dialog. */
  label: Label
  /** Advice shown with it. */
  text: Label
  /** Command to test it; `{secret}` is the secret and `{origin}` the console's URL. */
  command?: string
}

/**
 * Guarded values of a form. The answer of the action's `from` lists the guarded values of `group` at `fields`, and at `refusal`
 * the reason why the viewer may not change them; null = allowed. A change requires the record's `equals` to be typed into the
 * form field `confirm`.
 */
export type Guard = {
  /** Group field with the values. */
  group: string
  /** Path of the guarded names in the `from` answer. */
  fields: string
  /** Path of the refusal in the `from` answer. */
  refusal: string
  /** Form field of the typed confirmation. */
  confirm: string
  /** Field of the record whose value must be typed. */
  equals: string
  /** Label of the confirmation; `{value}` is the text to type. */
  ask: Label
  /** Text of each refusal code. */
  refusals: Readonly<Record<string, Label>>
}
