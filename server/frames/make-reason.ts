import { effects, type Reason, type ReasonCode, type Severity } from './frame-decoder.ts'

const severities: Record<(typeof effects)[ReasonCode], Severity> = {
  INVALID: 'ERROR',
  PARTIAL: 'WARNING',
  UNKNOWN_VERSION: 'NOTE',
  VALID: 'NOTE',
  DUPLICATE: 'NOTE',
}

/** A reason with the severity of its code. */
export const makeReason = (code: ReasonCode, facts: Omit<Reason, 'code' | 'severity'>): Reason => ({
  code,
  severity: severities[effects[code]],
  ...facts,
})
