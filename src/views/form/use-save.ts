import { type BaseRecord, useCreate, useNotification, useUpdate } from '@refinedev/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { pathOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Problem, problemOf } from '#views/shared/problem.ts'
import { rememberRecord } from '#views/shared/record-cache.ts'
import { shownTitle } from '#views/shared/shown-title.ts'
import { silentMutation } from '#views/shared/silent-mutation.ts'
import { useInvalidateResource } from '#views/shared/use-invalidate-resource.ts'
import { formWords } from './form-words.ts'

export type Saved = { record: BaseRecord } | { problem: Problem }

/** Creates a record, once for its `key`, or updates one. Single-flight: returns undefined while a call is running. `sentPercent`: of a file that is being sent. */
export function useSave(resource: AnyResource, id: string | undefined) {
  const create = useCreate()
  const update = useUpdate()
  const client = useQueryClient()
  const invalidate = useInvalidateResource()
  const sayLabel = useSay()
  const language = useLanguage()
  const { open } = useNotification()
  const isBusy = useRef(false)
  const [isSaving, setSaving] = useState(false)
  const [sentPercent, setSentPercent] = useState<number>()
  const { mutateAsync: createRecord } = create.mutation
  const { mutateAsync: updateRecord } = update.mutation

  const send = useCallback(
    (values: Record<string, unknown>, key: string) =>
      id === undefined
        ? createRecord({
            resource: resource.name,
            values,
            meta: {
              onceKey: () => key,
              merges: true,
              ...(Object.values(values).some((value) => value instanceof File)
                ? { onProgress: (share: number) => setSentPercent(Math.round(share * 100)) }
                : {}),
            },
            ...silentMutation,
          })
        : updateRecord({
            resource: resource.name,
            id,
            values,
            mutationMode: 'pessimistic',
            meta: { merges: true },
            ...silentMutation,
          }),
    [createRecord, id, resource, updateRecord],
  )

  const save = useCallback(
    async (values: Record<string, unknown>, key: string): Promise<Saved | undefined> => {
      if (isBusy.current) return undefined
      isBusy.current = true
      setSaving(true)
      try {
        const { data: record } = await send(values, key)
        if (pathOf(resource, 'show')) rememberRecord(client, resource.name, record)
        const title = shownTitle(resource, record, language) ?? ''
        const message = sayLabel(id === undefined ? formWords.created : formWords.saved, { title })
        open?.({ type: 'success', key: `save-${resource.name}`, message })
        void invalidate(resource)
        return { record }
      } catch (error) {
        return { problem: problemOf(error) }
      } finally {
        isBusy.current = false
        setSaving(false)
        setSentPercent(undefined)
      }
    },
    [client, id, open, resource, sayLabel, language, send, invalidate],
  )
  return { save, isSaving, sentPercent }
}
