import { getHeapStatistics } from 'node:v8'
import underPressure, { TYPE_EVENT_LOOP_DELAY } from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { problem } from '#server/base/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Under load: `never` is answered all the same, `first` waits at half of it. Others wait when the limit is reached. */
    shed?: 'never' | 'first'
  }
}

export type Load = {
  /** Mean delay of timers within a second: how long a request waits before anything is done for it. */
  delayMs: number
  heapBytes: number
}

export const usualLoad = (): Load => ({ delayMs: 1_500, heapBytes: 0.9 * getHeapStatistics().heap_size_limit })

const sampleMs = 1_000
const settledMs = 3 * sampleMs
const peopleWaitS = 5
/** Boards keep their frames. They come back spread out, so that they are no load of their own. */
const boardsWaitS = { least: 30, spread: 60 }

/**
 * Answers 503 before any work is done while the process is behind, so that what it has begun comes to its end. Boards wait first:
 * they lose nothing. Files of the console are always given.
 */
export async function shedLoad(app: FastifyInstance, { delayMs, heapBytes }: Load): Promise<void> {
  let measuredFrom = 0
  // Building the API holds the process up, too, and is over when it listens.
  app.addHook('onListen', async () => {
    measuredFrom = performance.now() + settledMs
  })
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs / 2,
    maxHeapUsedBytes: heapBytes,
    sampleInterval: sampleMs,
    pressureHandler: async (request, _reply, type, value = 0) => {
      const { config, url } = request.routeOptions
      if (config.shed === 'never' || !url?.startsWith('/api/')) return
      // No timer was seen at all in this sample: the next one tells how late they are.
      const isUnknown = value === Number.POSITIVE_INFINITY || performance.now() < measuredFrom
      if (type === TYPE_EVENT_LOOP_DELAY && isUnknown) return
      if (config.shed === 'first')
        throw problem('unavailable', { retryAfterS: boardsWaitS.least + Math.random() * boardsWaitS.spread })
      if (type === TYPE_EVENT_LOOP_DELAY && value <= delayMs) return
      throw problem('unavailable', { retryAfterS: peopleWaitS })
    },
  })
}
