import { useCallback, useMemo, useRef, useState } from 'react'
import { useLanguage, useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import { actionSchema, check } from '#schema/record-schema.ts'
import { focusPath } from '#views/form/fault-summary.tsx'
import { findingOf, rawFindings } from '#views/form/form-faults.ts'
import { checkable, type Form, visibleFields } from '#views/form/form-values.ts'
import { useFormState } from '#views/form/use-form-state.ts'
import { useSchemas } from '#views/form/use-schemas.ts'
import { problemOf } from '#views/problem.ts'
import type { ActionOffer } from './action-offer.ts'
import { startValues, valuesToSend } from './action-values.ts'
import { formFieldsOf } from './form-fields-of.ts'
import { useActionDraft } from './use-action-draft.ts'

export type ActionFormOptions = {
  offer: ActionOffer
  /** The answer that fills the form. */
  from?: unknown
  run: (values: Record<string, unknown>) => Promise<unknown>
  onDone: () => void
}

/** The form of an action: checked as the server will, sent once, with the server's faults on their fields. */
export function useActionForm({ offer, from, run, onDone }: ActionFormOptions) {
  const language = useLanguage()
  const ruleContext = useRuleContext()
  const { action } = offer
  const all = formFieldsOf(action)
  const about: Row | undefined = offer.row ?? offer.record
  const [isBusy, setBusy] = useState(false)
  const isSent = useRef(false)

  const initial = useMemo((): Form => {
    const values = startValues(all, from, about)
    return { base: values, values, version: 1 }
  }, [all, from, about])
  const visible = useCallback(
    (form: Form) => visibleFields(all, { ...about, ...form.values }, ruleContext()),
    [all, about, ruleContext],
  )
  const make = useCallback((fields: Fields) => actionSchema({ ...action, form: fields, body: {} }), [action])
  const schemaOf = useSchemas(make)
  const checkForm = useCallback(
    (form: Form) => {
      const fields = visible(form)
      const body = Object.fromEntries(Object.keys(fields).map((name) => [name, checkable(form.values[name], fields[name])]))
      return check(schemaOf(fields), body)
    },
    [schemaOf, visible],
  )
  const findings = useCallback(
    (form: Form) => {
      const fields = visible(form)
      const checked = checkForm(form)
      const faults = checked.ok ? [] : checked.faults
      return [...rawFindings(fields, form.values, language), ...faults.map((fault) => findingOf(fault, language))]
    },
    [checkForm, language, visible],
  )
  const order = useCallback((form: Form) => Object.keys(visible(form)), [visible])
  const state = useFormState({ initial, check: findings, order })
  const { draft, restore } = useActionDraft(offer, state, all)

  /** As the schema leaves them, trimmed and in form; files go as they are. */
  const sendable = (form: Form) => {
    const checked = checkForm(form)
    const clean = checked.ok ? checked.value : {}
    const values = Object.entries(form.values).map(([name, value]) => [
      name,
      value instanceof File ? value : (clean[name] ?? value),
    ])
    return valuesToSend(visible(form), form.base, Object.fromEntries(values))
  }
  const submit = async () => {
    const wrong = state.attempt()
    if (wrong.length > 0) return void wrong.some(({ path }) => focusPath(path))
    if (isSent.current) return
    isSent.current = true
    setBusy(true)
    try {
      await run(sendable(state.form))
      draft.forget()
      onDone()
    } catch (error) {
      const { errors, message } = problemOf(error)
      const told = Object.entries(errors).map(([path, text]) => ({ path, message: text }))
      state.setServerFindings(told.length > 0 ? told : [{ path: '', message }])
    } finally {
      isSent.current = false
      setBusy(false)
    }
  }
  return { state, fields: visible(state.form), submit, isBusy, draft, restore }
}
