import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const file = '/proc/thread-self/schedstat'
const isCounted = existsSync(file)

const msIn = (path: string): number => (isCounted ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : performance.now())

/** Milliseconds that this thread has had a processor: what the neighbours of a busy machine do is no part of it. */
const threadMs = (): number => msIn(file)

/** The same of the main thread of another process. */
export const mainThreadMs = (pid: number): number => msIn(`/proc/${pid}/task/${pid}/schedstat`)

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
