import { useCallback, useMemo, useState } from 'react'
import type { Fields } from '#schema/field-types.ts'
import { belongs, type FormFault, inOrder, type Messages, messagesOf } from './form-faults.ts'
import { changedNames, type Form, filled, type Values } from './form-values.ts'
import { mergeRecord } from './merge/merge-parts.ts'
import { useAfterPress } from './use-after-press.ts'

export type FormStateOptions = {
  initial: Form
  /** All faults of these values. */
  check: (form: Form) => readonly FormFault[]
  /** The fields in display order. */
  order: (form: Form) => readonly string[]
  /** Computes values that depend on a change: computed defaults. Keep it stable. */
  follow?: (before: Values, after: Values) => Values
}

const nothingFollows = (_before: Values, after: Values) => after

export type FormState = {
  form: Form
  /** Compared by value: restoring the old value is no change. */
  changed: readonly string[]
  /** Visible faults: of touched fields, of all fields after a submit attempt, and of the server. */
  messages: Messages
  /** All faults after a submit attempt, in form order. */
  summary: readonly FormFault[]
  setValue: (name: string, value: unknown) => void
  /** Applies values that the user has not edited; `before`: the values applied earlier. */
  fill: (given: Values, before?: Values) => void
  markTouched: (path: string) => void
  /** Makes all faults visible and returns those that prevent sending. */
  attempt: () => readonly FormFault[]
  setServerErrors: (faults: readonly FormFault[]) => void
  replace: (form: Form) => void
  /** Merges a newer record without losing typed values. */
  merge: (fields: Fields, theirs: Values, version: number) => void
}

/** State of a form: values, touched fields and faults. */
export function useFormState({ initial, check, order, follow = nothingFollows }: FormStateOptions): FormState {
  const [form, setForm] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isAttempted, setAttempted] = useState(false)
  const [serverErrors, setServerErrors] = useState<readonly FormFault[]>([])

  const faults = useMemo(() => check(form), [check, form])
  const names = useMemo(() => order(form), [order, form])
  const shown = isAttempted ? faults : faults.filter(({ path }) => touched.has(path))
  const messages = useMemo(() => messagesOf([...serverErrors, ...shown]), [serverErrors, shown])
  const summary = useMemo(
    () => inOrder([...serverErrors, ...(isAttempted ? faults : [])], names),
    [serverErrors, isAttempted, faults, names],
  )
  const changed = useMemo(() => changedNames(form.base, form.values), [form])

  const setValue = useCallback(
    (name: string, value: unknown) => {
      setForm((before) => ({ ...before, values: follow(before.values, { ...before.values, [name]: value }) }))
      setServerErrors((before) => before.filter(({ path }) => !belongs(path, name)))
    },
    [follow],
  )
  const fill = useCallback(
    (given: Values, before?: Values) =>
      setForm((form) => ({ ...form, values: follow(form.values, filled(form.values, given, before)) })),
    [follow],
  )
  const afterPress = useAfterPress()
  const markTouched = useCallback(
    (path: string) => afterPress(() => setTouched((before) => (before.has(path) ? before : new Set(before).add(path)))),
    [afterPress],
  )
  const attempt = useCallback(() => {
    setAttempted(true)
    setServerErrors([])
    return inOrder(faults, names)
  }, [faults, names])
  const replace = useCallback((next: Form) => {
    setForm(next)
    setServerErrors([])
  }, [])
  const merge = useCallback(
    (fields: Fields, theirs: Values, version: number) => setForm((before) => mergeRecord(fields, before, theirs, version)),
    [],
  )
  return { form, changed, messages, summary, setValue, fill, markTouched, attempt, setServerErrors, replace, merge }
}
