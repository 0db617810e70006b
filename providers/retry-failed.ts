import type { Query, QueryClient } from '@tanstack/react-query'
import { minuteMs } from '#schema/format/durations.ts'
import { isHttpProblem } from './http-problem.ts'
import { isRefusal } from './query-client.ts'

const firstWaitMs = 5_000

/** Answers of a proxy whose server is away, or of a server that is too busy. */
const passing = new Set([502, 503, 504])
const mayPass = (error: unknown) =>
  isHttpProblem(error) && (error.code === 'network' || error.code === 'timeout' || passing.has(error.statusCode))

/** On screen, and failed for a reason that passes: any other would be told again each time. */
const isFailed = (query: Query) => query.state.status === 'error' && query.isActive() && mayPass(query.state.error)

export type RetryOptions = {
  client: QueryClient
  /** Rejects while the server is not ready. */
  ready: () => Promise<unknown>
}

/** `now`: asks at once, since something else has found the server. */
export type Retries = { now: () => void; stop: () => void }

/**
 * Loads again what could not be loaded, once the server is ready. It is asked less and less often, and only while the page is
 * looked at; until then a message on the screen stands still. The browser's own word that it is online is heard by the query cache.
 */
export function retryFailed({ client, ready }: RetryOptions): Retries {
  const cache = client.getQueryCache()
  let waitMs = firstWaitMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  /** A server that does not know the question is there, too. */
  const isReady = () => ready().then(() => true, isRefusal)
  const plan = () => {
    timer ??= setTimeout(() => void ask(), waitMs)
  }
  const isOver = () => cache.findAll({ predicate: isFailed }).length === 0
  const ask = async () => {
    isAsking = true
    if (document.visibilityState === 'visible' && (await isReady())) await client.refetchQueries({ predicate: isFailed })
    isAsking = false
    timer = undefined
    waitMs = isOver() ? firstWaitMs : Math.min(2 * waitMs, minuteMs)
    if (!isOver()) plan()
  }
  // The first page may have failed before this part came.
  if (!isOver()) plan()
  const leave = cache.subscribe(({ query }) => isFailed(query) && plan())
  return {
    now: () => {
      if (isOver() || isAsking) return
      clearTimeout(timer)
      void ask()
    },
    stop: () => {
      leave()
      clearTimeout(timer)
    },
  }
}
