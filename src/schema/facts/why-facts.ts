import type { Rule } from '#schema/rule.ts'
import type { Label } from '#schema/words.ts'

/** A sentence below a record's heading that explains its state. The first one whose rule holds is shown. */
export type Sentence = {
  /** Condition on the record. */
  when: Rule
  /** Tone, or the path of the status field that gives it. */
  tone: string
  /** Status whose state it begins with, and the moment since when: `Offline since 19 Sept 2026, 13:06 (2 mo ago): `. */
  since?: { state: string; at: string }
  /**
   * The text. `{path}` is the text of a field, `{path.ago}` the age of a date-time. A part in square brackets is omitted when
   * one of its values is empty or hidden from the viewer.
   */
  text: Label
  /** Tab with more information; the sentence ends with a link to it. */
  tab?: string
  /** Reference field whose record has more information; the sentence ends with a link to it, before that to the tab. */
  record?: string
}
