import { QueryClient } from '@tanstack/react-query'
import { isObject } from '#schema/is-object.ts'

const staleMs = 5_000
const retries = 2

const statusOf = (error: unknown): number =>
  isObject(error) && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 0

/** A 4xx is final; only server and network errors are retried. */
export const isRefusal = (error: unknown) => statusOf(error) >= 400 && statusOf(error) < 500

/** The query cache. Unlike Refine's own client it has no placeholder data across records; lists keep their rows themselves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        retry: (failures, error) => failures < retries && !isRefusal(error),
        refetchOnWindowFocus: true,
      },
      // A write without a network fails at once and is never sent later: by then the form it came from may be closed.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
