import { useDataProvider, useUpdate } from '@refinedev/core'
import { useCallback } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { linkedValue, linkOf } from '#schema/form/tab-links.ts'
import type { RecordTab } from '#views/form/tab-address.ts'
import { problemOf } from '#views/shared/problem.ts'
import { silentMutation } from '#views/shared/silent-mutation.ts'

const quiet = { quiet: true }

/** A problem as one line, with its field messages. */
function refusalOf(error: unknown): Error {
  const { errors, message } = problemOf(error)
  return new Error(Object.values(errors).join('; ') || message)
}

export type SetLink = (id: string, isLinked: boolean, onRead?: (row: Row) => void) => Promise<void>

/** Sets or clears a row's reference to the tab's record: an ordinary update at the loaded version. */
export function useSetLink(place: RecordTab): SetLink {
  const definitions = useDefinitions()
  const dataProvider = useDataProvider()
  const { mutateAsync } = useUpdate().mutation
  return useCallback(
    async (id, isLinked, onRead) => {
      const link = linkOf(definitions, place)
      if (!link) return
      const { resource } = place.tab
      try {
        const { data: row } = await dataProvider().getOne({ resource, id, meta: quiet })
        onRead?.(row)
        const value = linkedValue(link, row[link.name], place.id, isLinked)
        if (value === undefined) return
        await mutateAsync({
          resource,
          id,
          values: { [link.name]: value, version: row.version },
          meta: quiet,
          mutationMode: 'pessimistic',
          ...silentMutation,
        })
      } catch (error) {
        throw refusalOf(error)
      }
    },
    [definitions, dataProvider, mutateAsync, place],
  )
}
