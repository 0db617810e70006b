import { type BaseRecord, useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { plainSort } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type PaletteEntry, recordEntry, searchedResources } from './palette-entries.ts'

const delayMs = 200
const perResource = 4
const shortestText = 2

/** The debounced text. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type Found = { resource: AnyResource; records: readonly BaseRecord[] }

/** Matching records of every section that the viewer may list. */
export function useRecordSearch(text: string): { entries: PaletteEntry[]; isSearching: boolean } {
  const { definitions, permissions, language, zone } = useConsole()
  const dataProvider = useDataProvider()
  const q = useSettled(text)
  const isSettled = q === text.trim()
  const isLongEnough = q.length >= shortestText
  const { data = [], isFetching } = useQuery({
    queryKey: ['palette', q],
    enabled: isSettled && isLongEnough,
    queryFn: async (context): Promise<Found[]> => {
      const asked = searchedResources(definitions, permissions).map(async (resource) => {
        const { data: records } = await dataProvider().getList({
          resource: resource.name,
          filters: [{ field: 'q', operator: 'eq', value: q }],
          pagination: { currentPage: 1, pageSize: perResource },
          sorters: plainSort(resource),
          meta: { queryContext: context },
        })
        return { resource, records }
      })
      // A failed section has been reported; the others are shown.
      const answers = await Promise.allSettled(asked)
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    },
  })
  // Records of a former text are no answer to this one.
  if (!isSettled) return { entries: [], isSearching: text.trim().length >= shortestText }
  return {
    entries: isLongEnough
      ? data.flatMap(({ resource, records }) =>
          records.map((record) => recordEntry(resource, record, { definitions, language, zone })),
        )
      : [],
    isSearching: isLongEnough && isFetching,
  }
}
