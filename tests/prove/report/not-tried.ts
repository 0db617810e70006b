import { getCurrentTest } from 'vitest/suite'
import { leaveOut } from '#tests/prove/left-out.ts'

/** Ends the test that runs: a definition gives it no ground, so that it shows nothing. */
export function notTried(what: string, why: string): void {
  leaveOut(what, why)
  getCurrentTest()?.context.skip(why)
}
