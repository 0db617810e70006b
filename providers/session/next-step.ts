import { refreshLeadMs } from './token-refresher.ts'

/** Maximum timer step: a suspended or throttled timer is late by at most this, and 24.8 days do not overflow. */
const longestStepMs = 30_000
const shortestStepMs = 200

/** Time until the token is looked at again. `leftMs`: its rest of life; `retryMs`: time until the next attempt to refresh it. */
export function nextStepMs(leftMs: number, retryMs: number): number {
  if (leftMs > refreshLeadMs) return Math.min(leftMs - refreshLeadMs, longestStepMs)
  return Math.min(Math.max(retryMs, shortestStepMs), leftMs > 0 ? leftMs : longestStepMs, longestStepMs)
}
