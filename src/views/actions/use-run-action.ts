import { useCustomMutation, useNotification } from '@refinedev/core'
import { useCallback, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useDefinitions, useSay, useViewer } from '#fields/definitions.tsx'
import { valueAt } from '#schema/rule.ts'
import type { ActionRequest } from '#schema/wire/calls.ts'
import { recordPath } from '#views/shared/paths.ts'
import { useInvalidateResource } from '#views/shared/use-invalidate-resource.ts'
import { viewWords } from '#views/shared/words.ts'
import type { ActionOffer, RunOptions } from './action-offer.ts'

/** The data provider takes method and path from the definition. The dialog shows errors. */
const definedCall = { url: '', method: 'put', successNotification: false, errorNotification: false } as const

/** Runs an offered action; rejects with the problem, which the caller shows in its form. */
export function useRunAction(): (offer: ActionOffer, options?: RunOptions) => Promise<unknown> {
  const { mutateAsync } = useCustomMutation()
  const viewer = useViewer()
  const sayLabel = useSay()
  const invalidate = useInvalidateResource()
  const { open } = useNotification()
  const definitions = useDefinitions()
  const navigate = useNavigate()
  const place = useRef('')
  place.current = useLocation().pathname
  return useCallback(
    async ({ resource, name, action, id, record, row }, { values, from, isPart = false } = {}) => {
      const begun = place.current
      const request: ActionRequest = { resource: resource.name, action: name, id, record, row, from, user: viewer }
      const { data: answer } = await mutateAsync({
        ...definedCall,
        values: { ...values },
        // The form of an answer merges a newer one.
        meta: { action: request, ...(isPart ? { quiet: true } : {}), ...(from === undefined ? {} : { merges: true }) },
      })
      if (isPart) return answer
      open?.({ type: 'success', key: `${resource.name}-${name}`, message: sayLabel(action.success ?? viewWords.done) })
      await invalidate(resource, action.refresh)
      const opened = action.opens ? definitions.get(action.opens) : undefined
      if (opened && place.current === begun) navigate(recordPath(opened, String(valueAt(answer, 'id'))))
      return answer
    },
    [mutateAsync, viewer, sayLabel, invalidate, open, definitions, navigate],
  )
}
