import { useCallback, useMemo } from 'react'
import { useDefinitions, useLanguage, useRuleContext, useViewer } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Fields } from '#schema/field-types.ts'
import { givenForm } from '#schema/form/given-form.ts'
import { openForm, subjectFields } from '#schema/form/open-form.ts'
import { unchangedFields } from '#schema/form/unchanged.ts'
import { actionSchema, check } from '#schema/record-schema.ts'
import { valueAt } from '#schema/rule.ts'
import { say } from '#schema/words.ts'
import { type FormFault, formFaultOf, inputFaults } from '#views/form/form-faults.ts'
import { checkable, type Form, type Values, visibleFields } from '#views/form/form-values.ts'
import { formWords } from '#views/form/form-words.ts'
import { useSchemas } from '#views/form/use-schemas.ts'
import { lockGuarded, touchedNames, withConfirmation } from './action-guard.ts'
import type { ActionOffer } from './action-offer.ts'

/** A typed confirmation must match exactly; the schema reports an empty one. */
function notTyped(path: string | undefined, values: Values, word: string, message: string): FormFault[] {
  const typed = path === undefined ? undefined : values[path]
  if (path === undefined || typeof typed !== 'string' || typed === '' || typed.trim() === word) return []
  return [{ path, message }]
}

/** Fields of an action's form and their faults; `source` is the answer that fills the form. */
export function useActionFields({ resource, action, row, record }: ActionOffer, source: unknown) {
  const language = useLanguage()
  const ruleContext = useRuleContext()
  const { guard } = action
  const definitions = useDefinitions()
  const { role } = useViewer()
  const all = useMemo(() => {
    const [form, fields] = [openForm(definitions, resource, action, role), subjectFields(definitions, resource, action)]
    return givenForm({ action, form, fields, role, stored: record })
  }, [definitions, resource, action, role, record])
  const about: Row | undefined = row ?? record
  const word = guard ? String(valueAt(about, guard.equals) ?? '') : ''
  const unlocked = useMemo(() => lockGuarded(all, guard, source), [all, guard, source])

  const visible = useCallback(
    (form: Form): Fields => {
      const fields = visibleFields(unlocked, { ...about, ...form.values }, ruleContext())
      return withConfirmation(fields, guard, word, guard ? touchedNames(all, guard, form, source) : [])
    },
    [all, unlocked, about, ruleContext, guard, word, source],
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
  const formFaults = useCallback(
    (form: Form): FormFault[] => {
      const fields = visible(form)
      const checked = checkForm(form)
      const faults = checked.ok ? [] : checked.faults
      const unchanged = about ? unchangedFields(action, about, form.values) : []
      const same = unchanged.map((path) => ({ path, code: 'changes-nothing' }))
      const confirm = guard && fields[guard.confirm] ? guard.confirm : undefined
      return [
        ...inputFaults(fields, form.values, language),
        ...[...faults, ...same].map((fault) => formFaultOf(fault, fields, language)),
        ...notTyped(confirm, form.values, word, say(formWords.notTyped, language, { text: word })),
      ]
    },
    [checkForm, language, visible, guard, word, about, action],
  )
  return { all, about, visible, checkForm, formFaults }
}
