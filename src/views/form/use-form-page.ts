import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useViewer } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { pathOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { listPath, recordPath } from '#views/shared/paths.ts'
import { draftKey } from './draft/draft-store.ts'
import { keptValues } from './draft/kept-values.ts'
import { useDraft } from './draft/use-draft.ts'
import { useEditStored } from './draft/use-edit-stored.ts'
import { useLeaveGuard } from './draft/use-leave-guard.ts'
import { useOnceKey } from './draft/use-once-key.ts'
import { serverErrorsOf } from './form-faults.ts'
import type { FormStart } from './form-start.ts'
import { changedNames, type Form, type Values } from './form-values.ts'
import { mergeParts, mergeRecord, partConflicts, partsOf } from './merge/merge-parts.ts'
import { type RecordForm, useRecordForm } from './use-record-form.ts'
import { focusFirst, useRefusedFocus } from './use-refused-focus.ts'
import { useSave } from './use-save.ts'

/** False once the page was left: an answer that comes then leads nowhere. */
function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}

/** Draft of what is typed; that of a new record that may be stored has the key of its call. */
function useFormDraft(storageKey: string, { form, changed, fields }: RecordForm, key: string | undefined) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: made again when the values are
  const kept = useMemo(() => {
    const values = keptValues(form, changed, fields)
    return values && { ...values, ...(key ? { key } : {}) }
  }, [form, key])
  return useDraft({ storageKey, changed: kept })
}

export type FormPageOptions = { resource: AnyResource; record?: Row | undefined; start?: FormStart | undefined }

/** Controller of a form page; the page only renders. */
export function useFormPage({ resource, record, start }: FormPageOptions) {
  const navigate = useNavigate()
  const viewer = useViewer()
  const id = record?.id === undefined ? undefined : String(record.id)
  const state = useRecordForm({ resource, record, start })
  const { form, changed, merge, valuesIn, replace, writable } = state
  const { save, isSaving, sentPercent } = useSave(resource, id)
  const { blocker, release } = useLeaveGuard(changed.length > 0)
  const once = useOnceKey(isSaving)
  const draft = useFormDraft(draftKey(viewer.id, resource.name, id ?? (start && `new in ${start.key}`)), state, once.kept)
  const [theirs, setTheirs] = useState<Row>()
  const summary = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (record && typeof record.version === 'number') merge(writable, valuesIn(record), record.version)
  }, [record, merge, valuesIn, writable])

  const setRefused = useRefusedFocus(isSaving, summary)
  const isHere = useIsHere()
  const leaveTo = useCallback(
    (path: string, state?: { made: string }) => {
      release()
      draft.leave()
      if (isHere.current) navigate(path, state && { state })
    },
    [draft.leave, isHere, navigate, release],
  )
  const pageOf = (saved: Row) =>
    saved.id !== undefined && pathOf(resource, 'show') ? recordPath(resource, String(saved.id)) : listPath(resource)

  const leaveSaved = (saved: Row, path?: string) => {
    draft.forget()
    if (path) return leaveTo(path)
    return start?.back === undefined ? leaveTo(pageOf(saved)) : leaveTo(start.back, { made: String(saved.id) })
  }

  const editStored = useEditStored({ resource, state, leaveSaved })
  const send = async (sent: Form) => {
    const answer = await save(state.payload(sent), once.key)
    if (!answer) return
    if ('record' in answer) return leaveSaved({ id, ...answer.record })
    const { problem } = answer
    if (problem.statusCode === 409 && problem.current) return setTheirs(problem.current)
    if (problem.statusCode === 422 && problem.current) return editStored(problem.current)
    once.noteFailure(problem)
    const faults = serverErrorsOf(problem)
    state.setServerErrors(faults)
    setRefused(faults)
  }
  const submit = async () => {
    const faults = state.attempt()
    if (faults.length > 0) return focusFirst(faults, summary)
    if (record && changed.length === 0) return leaveTo(pageOf(record))
    await send(form)
  }
  /** Resolves a conflict: untouched values are theirs, conflicting ones as chosen, the rest mine. */
  const settle = async (chosen: Values) => {
    if (!theirs) return
    const current = valuesIn(theirs)
    const values = mergeParts(writable, form, current, chosen)
    const next: Form = { base: current, values, version: Number(theirs.version) }
    replace(next)
    setTheirs(undefined)
    if (changedNames(next.base, next.values).length === 0) return leaveTo(pageOf(theirs))
    await send(next)
  }
  const restore = () => {
    const { offered } = draft
    if (!offered) return
    const began: Form = {
      base: { ...form.base, ...offered.base },
      values: { ...form.values, ...offered.values },
      version: offered.version,
    }
    replace(record ? mergeRecord(writable, began, valuesIn(record), Number(record.version)) : began)
    draft.answer()
    once.take(offered.key)
  }
  return {
    state,
    submit,
    isSaving,
    sentPercent,
    blocker,
    draft,
    restore,
    stale: theirs && { theirs, conflicts: partConflicts(writable, form, valuesIn(theirs)), fields: partsOf(state.fields) },
    settle,
    dismiss: () => setTheirs(undefined),
    leaveTo,
    summary,
  }
}
