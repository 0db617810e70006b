import type { Label } from '#schema/words.ts'

/** Guide of a warning for support engineers, step by step. */
export type WarningGuide = {
  meaning: Label
  causes: readonly [Label, ...Label[]]
  /** First checks; all are harmless. */
  checks: readonly [Label, ...Label[]]
  /** Remedies for support or the customer. */
  actions: readonly [Label, ...Label[]]
}
