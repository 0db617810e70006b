import { QueryClient } from '@tanstack/react-query'
import { isObject } from '#schema/is-object.ts'

const staleMs = 5_000
const retries = 2

const statusOf = (error: unknown): number =>
  isObject(error) && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 0

/** A refusal stays a refusal: only a server or a network in trouble is asked again. */
const isRefusal = (error: unknown) => statusOf(error) >= 400 && statusOf(error) < 500

/**
 * The query cache. Unlike in Refine's own client, no record shows data of another while it loads; lists keep their rows
 * themselves.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        retry: (failures, error) => failures < retries && !isRefusal(error),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  })
}
