import type { Label } from '#schema/words.ts'

/** A form of a new record of another resource that begins with the rows selected in this list. */
export type SelectionForm = {
  /** Resource of the new record; offered to viewers who may create one. */
  resource: string
  /** Its field of references that takes the rows; `maxItems` of the field limits them. */
  field: string
  /** Label of the button. */
  label: Label
}
