import { useInvalidate } from '@refinedev/core'
import { useCallback } from 'react'
import { useDefinitions } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import { touchedBy } from '#views/actions/action-offer.ts'

/** Marks everything as old that a change of a resource may have altered; what is on the screen is asked for again. */
export function useTouch(): (resource: AnyResource, refresh?: readonly string[]) => Promise<void> {
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
