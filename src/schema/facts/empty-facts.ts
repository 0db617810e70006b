import type { Label } from '#schema/words.ts'

/** Texts of an empty list. */
export type EmptyList = {
  /** States that there are no rows. */
  title: Label
  /** Describes the list and how rows are created. */
  text: Label
  /** Next step for viewers who may create one. */
  first?: Label
  /** Resource whose list the text sends to: a button opens it, for those who may. */
  sendsTo?: string
}
