import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'

export type AnswerQuery<T> = {
  url: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** Parser of the response; undefined for an unknown shape. */
  read: (data: unknown) => T | undefined
  /** Poll interval while visible, in milliseconds. */
  refreshMs?: number
  isWanted?: boolean
}

/** A response other than a record. Null: an unexpected shape; the caller shows errors. */
export function useAnswer<T>({ url, query, read, refreshMs, isWanted = true }: AnswerQuery<T>): UseQueryResult<T | null> {
  const dataProvider = useDataProvider()
  return useQuery({
    queryKey: ['answer', url, query],
    enabled: isWanted,
    placeholderData: keepPreviousData,
    ...(refreshMs ? { refetchInterval: refreshMs } : {}),
    queryFn: async (context) => {
      const meta = { queryContext: context, quiet: true }
      const answer = await dataProvider().custom?.<BaseRecord>({ url, method: 'get', ...(query ? { query } : {}), meta })
      return read(answer?.data) ?? null
    },
  })
}
