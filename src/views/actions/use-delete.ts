import { useNotification, useDelete as useRefineDelete } from '@refinedev/core'
import { useCallback } from 'react'
import { useLanguage, useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { shownTitle } from '#views/shared/shown-title.ts'
import { silentMutation } from '#views/shared/silent-mutation.ts'
import { useInvalidateResource } from '#views/shared/use-invalidate-resource.ts'
import { viewWords } from '#views/shared/words.ts'
import { useStartAction } from './action-host.tsx'

/** Deletion as an action, so that it uses the same dialog. */
const deletion: Action = { label: viewWords.delete, icon: 'trash' }

/** True when the viewer may delete records of a resource. */
export function useMayDelete(resource: AnyResource): boolean {
  return useMay()(resource.name, 'delete')
}

/** Confirms, deletes, notifies, then runs `after` (a record's page closes, a selection loses the row). */
export function useDelete(resource: AnyResource): (record: Row, after?: () => void) => void {
  const { mutation } = useRefineDelete()
  const { mutateAsync } = mutation
  const { open } = useNotification()
  const sayLabel = useSay()
  const language = useLanguage()
  const invalidate = useInvalidateResource()
  const start = useStartAction()
  return useCallback(
    (record, after) => {
      const id = String(record.id)
      const title = shownTitle(resource, record, language) ?? id
      const run = async () => {
        await mutateAsync({ resource: resource.name, id, mutationMode: 'pessimistic', ...silentMutation })
        open?.({ type: 'success', key: `delete-${resource.name}`, message: sayLabel(viewWords.deleted, { title }) })
        after?.()
        await invalidate(resource)
      }
      start({ resource, name: 'delete', action: deletion, id, record, isDeletion: true }, { run })
    },
    [mutateAsync, open, resource, sayLabel, language, start, invalidate],
  )
}
