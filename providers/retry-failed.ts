import type { Query, QueryClient } from '@tanstack/react-query'
import { minuteMs } from '#schema/format/durations.ts'
import type { LazyHttp } from './client.ts'
import { isRefusal } from './query-client.ts'

const firstWaitMs = 5_000

/** On screen, and failed for a reason that may pass. */
const isFailed = (query: Query) => query.state.status === 'error' && query.isActive() && !isRefusal(query.state.error)

/** A server that does not know the question is there, too. */
const isReady = async (http: LazyHttp) => {
  try {
    await (await http()).get('ready', { quiet: true, anonymous: true })
    return true
  } catch (error) {
    return isRefusal(error)
  }
}

/**
 * Loads again what could not be loaded, once the server is ready. It is asked less and less often, and only while the page is
 * looked at; until then a message on the screen stands still. The browser's own word that it is online is heard by the query cache.
 */
export function retryFailed({ client, http }: { client: QueryClient; http: LazyHttp }): () => void {
  const cache = client.getQueryCache()
  let waitMs = firstWaitMs
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    timer ??= setTimeout(() => void ask(), waitMs)
  }
  const ask = async () => {
    if (document.visibilityState === 'visible' && (await isReady(http))) await client.refetchQueries({ predicate: isFailed })
    timer = undefined
    const isOver = cache.findAll({ predicate: isFailed }).length === 0
    waitMs = isOver ? firstWaitMs : Math.min(2 * waitMs, minuteMs)
    if (!isOver) plan()
  }
  const leave = cache.subscribe(({ query }) => isFailed(query) && plan())
  return () => {
    leave()
    clearTimeout(timer)
  }
}
