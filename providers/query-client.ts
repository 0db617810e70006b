import { QueryClient } from '@tanstack/react-query'

const staleMs = 5_000
const retries = 2

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 0

/** A refusal stays a refusal: only a server or a network in trouble is asked again. */
const isRefusal = (error: unknown) => statusOf(error) >= 400 && statusOf(error) < 500

/**
 * The cache of what the server said. Unlike Refine's own client it shows nothing of one record while another is loading:
 * lists keep their rows by themselves.
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
