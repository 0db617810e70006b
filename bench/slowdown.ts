import { median } from './figures.ts'

/** Time for which the page that is written by hand blocks on the laptop of the goals. */
const laptopBlockingMs = 80
const longTaskMs = 50
const trials = 3
const most = 12

/** Time in long tasks beyond what a task may take. */
export const blockingMs = (tasksMs: readonly number[]): number => tasksMs.reduce((sum, ms) => sum + ms - longTaskMs, 0)

/**
 * Factor, 1 or more, by which the processor of this machine is slowed down to be that of the laptop: with it the page that is written
 * by hand blocks as long as there. With a fixed factor a slower machine would stand for a slower laptop, on which less of the time is
 * the line's, and the same console would compare worse. The factor is looked for with that page itself, since other work says little
 * of how fast a machine loads pages, and times do not follow the factor in proportion.
 */
export async function slowdownBy(load: (slowdown: number) => Promise<readonly number[]>): Promise<number> {
  let before = { slowdown: 1, ms: 0 }
  for (let slowdown = 2; slowdown <= most; slowdown++) {
    const blocking: number[] = []
    for (let trial = 0; trial < trials; trial++) blocking.push(blockingMs(await load(slowdown)))
    const ms = median(blocking)
    if (ms >= laptopBlockingMs) {
      const share = Math.max(0, laptopBlockingMs - before.ms) / Math.max(1, ms - before.ms)
      return before.slowdown + (slowdown - before.slowdown) * share
    }
    before = { slowdown, ms }
  }
  return most
}
