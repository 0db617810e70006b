import type { Label } from '#schema/words.ts'

/** Words of a list that has no row at all. */
export type EmptyList = {
  /** That there is none. */
  title: Label
  /** Subject of the list, and how its rows come. */
  text: Label
  /** Next step of those who may create one. */
  first?: Label
}
