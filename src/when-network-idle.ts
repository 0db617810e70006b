import type { QueryClient } from '@tanstack/react-query'
import { whenIdle } from '#ui/layout/when-idle.ts'

/** A page without data of its own is taken to be drawn by then. */
const latestMs = 5_000
/** Debounce: calls that follow a first answer on the page leave within this time. */
const settleMs = 300

type Connection = { saveData?: boolean; effectiveType?: string }

const connectionOf = (): Connection | undefined => Reflect.get(globalThis.navigator ?? {}, 'connection')

/** True on a metered or very slow line, where nothing is fetched that nobody asked for. */
export function isSparing(connection = connectionOf()): boolean {
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '')
}

/**
 * Network idle: does work after the first data of the page is on screen and no call is under way. Returns a cancel function.
 */
export function whenNetworkIdle(client: QueryClient, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let cancelIdle: (() => void) | undefined
  const begin = () => {
    stop()
    cancelIdle = whenIdle(work)
  }
  const watch = () => {
    clearTimeout(timer)
    const hasData = client
      .getQueryCache()
      .getAll()
      .some(({ state }) => state.status === 'success')
    if (client.isFetching() === 0) timer = setTimeout(begin, hasData ? settleMs : latestMs)
  }
  const unsubscribe = client.getQueryCache().subscribe(watch)
  const stop = () => {
    unsubscribe()
    clearTimeout(timer)
  }
  watch()
  return () => {
    stop()
    cancelIdle?.()
  }
}
