import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

export type FillingCall = {
  url: string
  method: 'get' | 'post' | 'put' | 'delete'
  payload?: unknown
  onProgress?: (share: number) => void
  context?: QueryFunctionContext
}

/** A request of Filling; the caller shows its error. */
export function useCall() {
  const dataProvider = useDataProvider()
  return useCallback(
    async <T>({ onProgress, context, ...call }: FillingCall): Promise<T> => {
      const meta = { quiet: true, ...(onProgress ? { onProgress } : {}), ...(context ? { queryContext: context } : {}) }
      const answer = await dataProvider().custom?.<BaseRecord & T>({ ...call, meta })
      if (!answer) throw new Error('the data provider has no free calls')
      return answer.data
    },
    [dataProvider],
  )
}

/** Queries of Filling under one key prefix, so that a change can refetch all of them. */
export function useFilling<T>(url: string) {
  const call = useCall()
  return useQuery({ queryKey: ['filling', url], queryFn: (context) => call<T>({ url, method: 'get', context }) })
}
