import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const file = '/proc/thread-self/schedstat'
const isCounted = existsSync(file)

/** Milliseconds that this thread has had a processor: what the neighbours of a busy machine do is no part of it. */
const threadMs = (): number => (isCounted ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : performance.now())

/** Work of this thread for a task: in all, and the longest stretch in which nothing else could be answered. */
export async function threadTimeOf(task: () => Promise<unknown>): Promise<{ workMs: number; stretchMs: number }> {
  const started = threadMs()
  let isOver = false
  let stretchMs = 0
  const watch = async () => {
    for (let last = threadMs(); !isOver; ) {
      await turn()
      const now = threadMs()
      stretchMs = Math.max(stretchMs, now - last)
      last = now
    }
  }
  const watching = watch()
  await task().finally(() => {
    isOver = true
  })
  const workMs = threadMs() - started
  await watching
  return { workMs, stretchMs }
}
