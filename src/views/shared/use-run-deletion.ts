import { useDelete, useNotification } from '@refinedev/core'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { ActionOffer } from '#views/actions/action-offer.ts'
import { deletionWords } from './deletion-offer.ts'
import { shownTitle } from './shown-title.ts'
import { silentMutation } from './silent-mutation.ts'
import { useInvalidateResource } from './use-invalidate-resource.ts'

/** Deletes the record of an offer, and says so; rejects with the problem, which the dialog shows. */
export function useRunDeletion(): (offer: ActionOffer, after?: () => void) => Promise<void> {
  const { mutation } = useDelete()
  const { open } = useNotification()
  const sayLabel = useSay()
  const language = useLanguage()
  const invalidate = useInvalidateResource()
  return async ({ resource, id = '', record }, after) => {
    const title = shownTitle(resource, record, language) ?? id
    await mutation.mutateAsync({ resource: resource.name, id, mutationMode: 'pessimistic', ...silentMutation })
    open?.({ type: 'success', key: `delete-${resource.name}`, message: sayLabel(deletionWords.deleted, { title }) })
    after?.()
    await invalidate(resource)
  }
}
