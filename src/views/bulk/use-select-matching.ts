import { useDataProvider } from '@refinedev/core'
import { useCallback, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'
import { maxRows, type ScreenState } from '#schema/list-query.ts'
import { type ListSource, listParams } from '#views/list/refine-query.ts'
import type { Selection } from '#views/list/use-selection.ts'

/** Limit of one selection. */
export const maxSelected = 1000

export type MatchingOptions = { resource: string; asked: ScreenState; source: ListSource | undefined; selection: Selection }

/** Selects all rows that match the list's conditions, up to the limit, page by page. */
export function useSelectMatching({ resource, asked, source, selection }: MatchingOptions) {
  const dataProvider = useDataProvider()
  const [isBusy, setBusy] = useState(false)
  const { add } = selection
  const selectAll = useCallback(async () => {
    setBusy(true)
    try {
      for (let page = 1; page <= maxSelected / maxRows; page += 1) {
        const params = listParams({ ...asked, page, limit: maxRows }, source)
        const { data } = await dataProvider().getList<Row & { id: string }>({ resource, ...params })
        add(data)
        if (data.length < maxRows) break
      }
    } catch {
      // The API client has shown the error; rows found so far stay selected.
    } finally {
      setBusy(false)
    }
  }, [add, asked, dataProvider, resource, source])
  return { selectAll, isBusy }
}
