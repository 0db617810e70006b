import type { FactorWay } from '#schema/wire/wire.ts'
import { problemOf } from '#views/shared/problem.ts'

/** A second step of a sign-in, opened by a challenge. */
export type StepProps = {
  challenge: string
  ways: readonly FactorWay[]
  /** Back to the password, with the reason. */
  onRestart: (reason?: string) => void
  /** Switches to a code, for a person without access to the passkey. */
  onCode: () => void
}

/** True when the challenge is over: the password is asked for again. */
export const isDead = (error: unknown): boolean => problemOf(error).statusCode === 410
