import { getCurrentTest } from 'vitest/suite'
import { skipCheck } from '#tests/prove/skipped-checks.ts'

/** Ends the test that runs: a definition gives it no ground, so that it shows nothing. */
export function notTried(what: string, why: string): void {
  skipCheck(what, why)
  getCurrentTest()?.context.skip(why)
}
