import { useDataProvider } from '@refinedev/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'
import { maxRows, type ScreenState } from '#schema/list-query.ts'
import { type ListSource, listParams } from '#views/list/refine-query.ts'
import type { Selection } from '#views/list/use-selection.ts'

/** Limit of one selection. */
export const maxSelected = 1000

export type MatchingOptions = { resource: string; asked: ScreenState; source: ListSource | undefined; selection: Selection }

/** Selects all rows that match the list's conditions, up to the limit, page by page, until it is stopped or they change. */
export function useSelectMatching({ resource, asked, source, selection }: MatchingOptions) {
  const dataProvider = useDataProvider()
  const [isBusy, setBusy] = useState(false)
  const { add } = selection
  const loading = useRef<AbortController>(undefined)
  const stop = useCallback(() => loading.current?.abort(), [])
  const conditions = JSON.stringify([asked.filters, asked.q])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other conditions end the loading
  useEffect(() => stop, [conditions, stop])
  const selectAll = useCallback(async () => {
    const controller = new AbortController()
    loading.current = controller
    setBusy(true)
    try {
      for (let page = 1; page <= maxSelected / maxRows; page += 1) {
        const params = listParams({ ...asked, page, limit: maxRows }, source)
        const { data } = await dataProvider().getList<Row & { id: string }>({ resource, ...params })
        if (controller.signal.aborted) break
        add(data)
        if (data.length < maxRows) break
      }
    } catch {
      // The API client has shown the error; rows found so far stay selected.
    } finally {
      setBusy(false)
    }
  }, [add, asked, dataProvider, resource, source])
  return { selectAll, stop, isBusy }
}
