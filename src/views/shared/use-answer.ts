import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'

export type Asked<T> = {
  url: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** What is made of the answer; undefined for one that this console does not know. */
  read: (data: unknown) => T | undefined
  /** How often it is asked for again while it is looked at, in milliseconds. */
  refreshMs?: number
  isWanted?: boolean
}

/** An answer of the API that is no record. Null: the server has said something else; its failures are shown by the caller. */
export function useAnswer<T>({ url, query, read, refreshMs, isWanted = true }: Asked<T>): UseQueryResult<T | null> {
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
