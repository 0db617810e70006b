/**
 * Runs a task with a signal that ends it with `signal`, or after so long with a `TimeoutError`. The timer is held until the task is over:
 * Node 20 collects the one of `AbortSignal.timeout` behind `AbortSignal.any`, and then nothing ends the task.
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
