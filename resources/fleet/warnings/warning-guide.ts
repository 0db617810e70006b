import type { Label } from '#schema/words.ts'

/** What a support engineer is told of a warning, step by step. */
export type WarningGuide = {
  meaning: Label
  causes: readonly [Label, ...Label[]]
  /** What to look at first; nothing of it can do harm. */
  checks: readonly [Label, ...Label[]]
  /** What may be done from here or by the customer. */
  actions: readonly [Label, ...Label[]]
}
