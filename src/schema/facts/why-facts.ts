import type { Rule } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'

/** A sentence below the heading of a record that says why it is as it is. Of several, the first one whose rule holds is shown. */
export type Sentence = {
  /** The records that it is said of. */
  when: Rule
  /** Its colour, or the path of the status that gives it. */
  tone: string
  /** Status whose state it begins with, and the moment since when: `Offline since 19 Sept 2026, 13:06 (2 mo ago): `. */
  since?: { state: string; at: string }
  /**
   * Its words. `{path}` stands for the text of a field, `{path.ago}` for how long ago a moment was. A part in square brackets is left
   * out where one of its values is empty, or hidden from the viewer.
   */
  text: Label
  /** The tab that says more, which it ends with a link to. */
  tab?: string
}
