import type { FactorWay } from '#schema/wire/wire.ts'
import { problemOf } from '#views/shared/problem.ts'

export type StepProps = {
  challenge: string
  ways: readonly FactorWay[]
  /** Back to the password step, with the reason. */
  onRestart: (reason?: string) => void
  /** Switches to a code, for a person without access to the passkey. */
  onCode: () => void
}

/** True when the challenge has expired: sign-in starts over. */
export const isChallengeExpired = (error: unknown): boolean => problemOf(error).statusCode === 410
