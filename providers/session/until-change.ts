export type UntilChangeOptions = {
  subscribe: (listener: () => void) => () => void
  isDone: () => boolean
  signal?: AbortSignal | undefined
}

/** Resolves when a store's change makes `isDone` true; rejects with the signal's reason. */
export function untilChange({ subscribe, isDone, signal }: UntilChangeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      stop()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => finish(() => reject(signal?.reason))
    const stop = subscribe(() => isDone() && finish(resolve))
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    else if (isDone()) finish(resolve)
  })
}
