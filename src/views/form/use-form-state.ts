import { useCallback, useMemo, useState } from 'react'
import { type Finding, inOrder, type Messages, messagesOf } from './form-faults.ts'
import { changedNames, type Form, filled, mergeRecord, type Values } from './form-values.ts'
import { useAfterPress } from './use-after-press.ts'

export type FormStateOptions = {
  initial: Form
  /** All faults of these values. */
  check: (form: Form) => readonly Finding[]
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
  summary: readonly Finding[]
  setValue: (name: string, value: unknown) => void
  /** Applies values that the user has not edited; `before`: the values applied earlier. */
  fill: (given: Values, before?: Values) => void
  touch: (path: string) => void
  /** Makes all faults visible and returns those that prevent sending. */
  attempt: () => readonly Finding[]
  setServerFindings: (findings: readonly Finding[]) => void
  replace: (form: Form) => void
  /** Merges a newer record without losing typed values. */
  merge: (theirs: Values, version: number) => void
}

const inside = (path: string, name: string) => path === name || path.startsWith(`${name}.`)

/** State of a form: values, touched fields and faults. */
export function useFormState({ initial, check, order, follow = nothingFollows }: FormStateOptions): FormState {
  const [form, setForm] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isAttempted, setAttempted] = useState(false)
  const [told, setTold] = useState<readonly Finding[]>([])

  const findings = useMemo(() => check(form), [check, form])
  const names = useMemo(() => order(form), [order, form])
  const shown = isAttempted ? findings : findings.filter(({ path }) => touched.has(path))
  const messages = useMemo(() => messagesOf([...told, ...shown]), [told, shown])
  const summary = useMemo(
    () => inOrder([...told, ...(isAttempted ? findings : [])], names),
    [told, isAttempted, findings, names],
  )
  const changed = useMemo(() => changedNames(form.base, form.values), [form])

  const setValue = useCallback(
    (name: string, value: unknown) => {
      setForm((before) => ({ ...before, values: follow(before.values, { ...before.values, [name]: value }) }))
      setTold((before) => before.filter(({ path }) => !inside(path, name)))
    },
    [follow],
  )
  const fill = useCallback(
    (given: Values, before?: Values) =>
      setForm((form) => ({ ...form, values: follow(form.values, filled(form.values, given, before)) })),
    [follow],
  )
  const afterPress = useAfterPress()
  const touch = useCallback(
    (path: string) => afterPress(() => setTouched((before) => (before.has(path) ? before : new Set(before).add(path)))),
    [afterPress],
  )
  const attempt = useCallback(() => {
    setAttempted(true)
    setTold([])
    return inOrder(findings, names)
  }, [findings, names])
  const replace = useCallback((next: Form) => {
    setForm(next)
    setTold([])
  }, [])
  const merge = useCallback((theirs: Values, version: number) => setForm((before) => mergeRecord(before, theirs, version)), [])
  return { form, changed, messages, summary, setValue, fill, touch, attempt, setServerFindings: setTold, replace, merge }
}
