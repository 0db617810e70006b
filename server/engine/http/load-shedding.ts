import { getHeapStatistics } from 'node:v8'
import underPressure, { TYPE_EVENT_LOOP_DELAY } from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { problem } from '#server/base/problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Under load: `never` is always served, `first` is shed at half of the limit, others at the limit. */
    shed?: 'never' | 'first'
  }
}

export type Load = {
  /** Mean event-loop delay within a second: how long a request waits before it is handled. */
  delayMs: number
  heapBytes: number
}

export const usualLoad = (): Load => ({ delayMs: 1_500, heapBytes: 0.9 * getHeapStatistics().heap_size_limit })

const sampleMs = 1_000
const settledMs = 3 * sampleMs
const peopleWaitS = 5
/** Boards keep their frames and retry after a random delay, so that they do not all return at once. */
const boardsWaitS = { least: 30, spread: 60 }

/**
 * Load shedding: answers 503 while the event loop lags, so that running requests complete. Boards are shed first, since they
 * lose no data. The console's files are always served.
 */
export async function shedLoad(app: FastifyInstance, { delayMs, heapBytes }: Load): Promise<void> {
  let measuredFrom = 0
  // Building the API blocks the event loop, too, and is over once the server listens.
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
      // No timer fired in this sample: the next one shows the delay.
      const isUnknown = value === Number.POSITIVE_INFINITY || performance.now() < measuredFrom
      if (type === TYPE_EVENT_LOOP_DELAY && isUnknown) return
      if (config.shed === 'first')
        throw problem('unavailable', { retryAfterS: boardsWaitS.least + Math.random() * boardsWaitS.spread })
      if (type === TYPE_EVENT_LOOP_DELAY && value <= delayMs) return
      throw problem('unavailable', { retryAfterS: peopleWaitS })
    },
  })
}
