import { useCallback } from 'react'
import { useMay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { viewWords } from '#views/shared/words.ts'
import { useStartAction } from './action-host.tsx'

/** Deletion as an action, so that it uses the same dialog. */
const deletion: Action = { label: viewWords.delete, icon: 'trash' }

/** True when the viewer may delete records of a resource. */
export function useMayDelete(resource: AnyResource): boolean {
  return useMay()(resource.name, 'delete')
}

/** Confirms and deletes; `after` it a record's page closes, or a selection loses the row. */
export function useDelete(resource: AnyResource): (record: Row, after?: () => void) => void {
  const start = useStartAction()
  return useCallback(
    (record, after) =>
      start({ resource, name: 'delete', action: deletion, id: String(record.id), record, isDeletion: true }, { after }),
    [resource, start],
  )
}
