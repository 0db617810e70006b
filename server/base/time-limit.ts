import { setTimeout as sleep } from 'node:timers/promises'

/** A value, or what stands for it when it takes longer. The load goes on. */
export async function orWhenLate<T, Late>(value: Promise<T>, timeoutMs: number, late: Late): Promise<T | Late> {
  const timer = new AbortController()
  try {
    return await Promise.race([value, sleep(timeoutMs, late, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/**
 * Runs a task with a signal that aborts with `signal`, or after a time limit with a `TimeoutError`. The timer is referenced
 * until the task ends: Node 20 garbage-collects `AbortSignal.timeout` behind `AbortSignal.any`, and the task would never abort.
 */
export async function withTimeLimit<T>(
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const end = () => limit.abort(signal.reason)
  const timer = setTimeout(() => limit.abort(new DOMException('the time is over', 'TimeoutError')), timeoutMs)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await task(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
