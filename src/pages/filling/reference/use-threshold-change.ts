import type { Threshold, ThresholdEffect, ThresholdLimit } from '#resources/fleet/warnings/threshold.ts'
import { referenceWords } from './reference-words.ts'
import { limitOf } from './threshold-draft.ts'
import { type Proposal, type ReferenceKind, useReferenceChange } from './use-reference-change.ts'

export type ThresholdProposal = Proposal<Threshold, ThresholdLimit, ThresholdEffect>

const thresholds: ReferenceKind<Threshold, ThresholdLimit> = {
  urlOf: ({ key }) => `warning-threshold/${encodeURIComponent(key)}`,
  valuesOf: limitOf,
  wasSet: referenceWords.wasSet,
  wasReset: referenceWords.wasReset,
}

export const useThresholdChange = (onDone: () => void) =>
  useReferenceChange<Threshold, ThresholdLimit, ThresholdEffect>(thresholds, onDone)
