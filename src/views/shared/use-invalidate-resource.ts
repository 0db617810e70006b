import { useInvalidate } from '@refinedev/core'
import { useCallback } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import { touchedBy } from '#views/actions/action-offer.ts'

/** Invalidates every query that a change of a resource may affect; visible ones are refetched. */
export function useInvalidateResource(): (resource: AnyResource, refresh?: readonly string[]) => Promise<void> {
  const invalidate = useInvalidate()
  const definitions = useDefinitions()
  return useCallback(
    async (resource, refresh) => {
      const names = touchedBy(definitions, resource, refresh)
      await Promise.all(names.map((name) => invalidate({ resource: name, invalidates: ['resourceAll'] })))
    },
    [definitions, invalidate],
  )
}
