import { useNotification } from '@refinedev/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useRuleContext, useSay } from '#fields/definitions.tsx'
import { followPresets } from '#schema/form/presets.ts'
import { valueAt } from '#schema/rule.ts'
import { serverErrorsOf } from '#views/form/form-faults.ts'
import type { Form, Values } from '#views/form/form-values.ts'
import { formWords } from '#views/form/form-words.ts'
import { useFormState } from '#views/form/use-form-state.ts'
import { focusFirst, useRefusedFocus } from '#views/form/use-refused-focus.ts'
import { problemOf } from '#views/shared/problem.ts'
import type { ActionOffer } from './action-offer.ts'
import { startValues, valuesToSend } from './action-values.ts'
import { useActionDraft } from './use-action-draft.ts'
import { useActionFields } from './use-action-fields.ts'
import { useActionMerge } from './use-action-merge.ts'

export type ActionFormOptions = {
  offer: ActionOffer
  /** The answer that fills the form. */
  from?: unknown
  /** Receives the answer behind the form: a newer one after a conflict. */
  run: (values: Record<string, unknown>, from: unknown) => Promise<unknown>
  onDone: () => void
}

/** Controller of an action's form: validates as the server does, submits once, and maps the server's faults to fields. */
export function useActionForm({ offer, from, run, onDone }: ActionFormOptions) {
  const [source, setSource] = useState(from)
  const { all, about, visible, checkForm, formFaults: check } = useActionFields(offer, source)
  const [isBusy, setBusy] = useState(false)
  const isSent = useRef(false)
  const summary = useRef<HTMLDivElement>(null)
  const setRefused = useRefusedFocus(isBusy, summary)

  const { start } = offer.action
  const ruleContext = useRuleContext()
  const startOver = useCallback(
    (answer: unknown) => startValues(all, { from: answer, record: about, start, context: ruleContext() }),
    [all, about, start, ruleContext],
  )
  const initial = useMemo((): Form => {
    const values = startOver(from)
    return { base: values, values, version: 1 }
  }, [startOver, from])
  const order = useCallback((form: Form) => Object.keys(visible(form)), [visible])
  const follow = useCallback(
    (before: Values, after: Values) => {
      const followed = followPresets(all, { ...about, ...before }, { ...about, ...after }, ruleContext())
      return Object.fromEntries(Object.keys(after).map((name) => [name, followed[name]]))
    },
    [all, about, ruleContext],
  )
  const state = useFormState({ initial, check, order, follow })
  const [isIdle, setIdle] = useState(false)
  const sayLabel = useSay()
  const { open } = useNotification()
  const loaded = Object.keys(all).filter((name) => valueAt(source, name) !== undefined)
  const isUnchanged = loaded.length > 0 && !state.changed.some((name) => loaded.includes(name))
  const idle = isIdle && isUnchanged ? [{ path: '', message: sayLabel(formWords.nothingChanged) }] : []
  const { draft, restore } = useActionDraft(offer, state, all)
  const merge = useActionMerge({ fields: all, form: state.form, startOver })

  /** Values as normalised by the schema; files are unchanged. */
  const sendable = (form: Form) => {
    const checked = checkForm(form)
    const clean = checked.ok ? checked.value : {}
    const values = Object.entries(form.values).map(([name, value]) => [
      name,
      value instanceof File ? value : (clean[name] ?? value),
    ])
    return valuesToSend(visible(form), form.base, Object.fromEntries(values))
  }
  const done = () => {
    draft.forget()
    onDone()
  }
  const submit = async () => {
    const wrong = state.attempt()
    setIdle(isUnchanged)
    if (wrong.length > 0 || isUnchanged) return focusFirst(wrong, summary)
    if (isSent.current) return
    isSent.current = true
    setBusy(true)
    try {
      await run(sendable(state.form), source)
      done()
    } catch (error) {
      const problem = problemOf(error)
      if (source !== undefined && merge.isOvertaken(problem)) return
      const refused = serverErrorsOf(problem)
      state.setServerErrors(refused)
      setRefused(refused)
    } finally {
      isSent.current = false
      setBusy(false)
    }
  }
  /** After a conflict the form holds the newer answer with the merged values, to be reviewed and sent again. */
  const settle = (chosen: Values) => {
    const settled = merge.settle(chosen)
    if (!settled) return
    if (!settled.isChanged) {
      open?.({ type: 'progress', key: 'nothing-changed', message: sayLabel(formWords.nothingChanged) })
      return done()
    }
    setSource(settled.source)
    state.replace(settled.form)
  }
  const faults = [...state.summary, ...idle]
  return { state, faults, fields: visible(state.form), submit, isBusy, draft, restore, merge, settle, summary }
}
