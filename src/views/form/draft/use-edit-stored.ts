import { useNotification } from '@refinedev/core'
import { useLanguage, useMay, useSay, useViewer } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { AnyResource } from '#schema/resource.ts'
import { changedNames, type Values } from '#views/form/form-values.ts'
import { formWords } from '#views/form/form-words.ts'
import type { RecordForm } from '#views/form/use-record-form.ts'
import { editPath } from '#views/shared/paths.ts'
import { shownTitle } from '#views/shared/shown-title.ts'
import { draftKey, writeDraft } from './draft-store.ts'
import { keptValues } from './kept-values.ts'

export type EditStoredOptions = {
  resource: AnyResource
  state: Pick<RecordForm, 'form' | 'fields' | 'valuesIn'>
  leaveSaved: (stored: Row, path?: string) => void
}

/**
 * For a new record whose first attempt was stored and its answer lost, and that was changed since: opens the stored record's form,
 * which offers what was changed.
 */
export function useEditStored({ resource, state: { form, fields, valuesIn }, leaveSaved }: EditStoredOptions) {
  const viewer = useViewer()
  const may = useMay()
  const sayLabel = useSay()
  const language = useLanguage()
  const { open } = useNotification()
  return (stored: Row) => {
    const id = String(stored.id)
    const base: Values = valuesIn(stored)
    const names = changedNames(base, form.values).filter((name) => !fields[name]?.immutable)
    const later = keptValues({ base, values: form.values, version: Number(stored.version) || 1 }, names, fields)
    const isOffered = later !== undefined && may(resource.name, 'edit')
    if (isOffered) writeDraft(draftKey(viewer.id, resource.name, id), { ...later, atMs: Date.now() })
    const title = shownTitle(resource, stored, language) ?? ''
    open?.({ type: 'success', key: `save-${resource.name}`, message: sayLabel(formWords.storedBefore, { title }) })
    leaveSaved(stored, isOffered ? editPath(resource, id) : undefined)
  }
}
