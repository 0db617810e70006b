const idleMs = 2_000

/** Does work once the browser has nothing better to do, after two seconds at the latest. Answers how to do without. */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, idleMs)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: idleMs })
  return () => cancelIdleCallback(handle)
}
