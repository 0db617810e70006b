import { useCallback, useMemo } from 'react'
import { useConsole, useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { browserZone } from '#fields/text/zone-choices.ts'
import { isSetKey, sectionsOf } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { givenChoices } from '#schema/form/given-choices.ts'
import { withOwnRows } from '#schema/form/own-rows.ts'
import { followPresets } from '#schema/form/presets.ts'
import { startFields } from '#schema/form/start-states.ts'
import { permissionsIn } from '#schema/permissions.ts'
import { check, createSchema, editSchema, ruleFaults, writableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { holds, type Rule, type RuleContext, topOf } from '#schema/rule.ts'
import { formFaultOf, inputFaults } from './form-faults.ts'
import type { FormStart } from './form-start.ts'
import {
  changedNames,
  checkable,
  defaultValues,
  type Form,
  filled,
  type Values,
  valuesOf,
  visibleFields,
} from './form-values.ts'
import { startInZone } from './start-zone.ts'
import { type FormState, useFormState } from './use-form-state.ts'
import { useSchemas } from './use-schemas.ts'

export type FormSection = { name: string; names: readonly string[] }

export type RecordForm = FormState & {
  fields: Fields
  /** All fields that may be written, those out of sight as well. */
  writable: Fields
  sections: readonly FormSection[]
  /** Values to send: all of a new record; the changed ones of a stored record, with its version. */
  payload: (form: Form) => Record<string, unknown>
  /** The record's values that this form can edit. */
  valuesIn: (record: Row) => Values
}

/** A field that fills others comes before them. */
const isFilling = (field: Field | undefined) => field?.type === 'reference' && field.fills !== undefined

/** Writable fields by section of the definition; others join the first section, which starts with fields that fill others. */
function layout(resource: AnyResource, fields: Fields, isShown: (rule: Rule) => boolean): FormSection[] {
  const leading = Object.keys(fields).filter((name) => isFilling(fields[name]))
  const taken = new Set(leading)
  const sections = Object.entries(sectionsOf(resource)).map(([name, section]) => {
    const names = [...new Set(section.fields.map(topOf))].filter((field) => Object.hasOwn(fields, field) && !taken.has(field))
    for (const field of names) taken.add(field)
    return { name, names, isShown: !('when' in section) || !section.when || isShown(section.when) }
  })
  const rest = Object.keys(fields).filter((name) => !taken.has(name))
  const [first, ...others] = sections.map((section) => ({ ...section, names: section.isShown ? section.names : [] }))
  return (first ? [{ ...first, names: [...leading, ...first.names, ...rest] }, ...others] : []).filter(
    ({ names }) => names.length > 0,
  )
}

/** Values given by a tab are shown read-only. */
const withGiven = (fields: Fields, start: FormStart | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      start && Object.hasOwn(start.given, name) ? { ...field, readOnly: true } : field,
    ]),
  )

function startValues(fields: Fields, start: FormStart | undefined, context: RuleContext): Values {
  const given = Object.fromEntries(Object.entries(start?.given ?? {}).filter(([name]) => Object.hasOwn(fields, name)))
  const values = { ...defaultValues(fields, context, given), ...given }
  const fills = Object.entries(start?.filled ?? {}).filter(([name]) => Object.hasOwn(fields, name))
  return filled(values, withOwnRows(fields, Object.fromEntries(fills)))
}

/** A stored secret is not read, but there: rules take it as filled in. */
const withStoredSecrets = (fields: Fields, row: Row): Row => {
  const isKept = (name: string) => row[isSetKey(name)] === true && (row[name] ?? null) === null
  return {
    ...row,
    ...Object.fromEntries(
      Object.keys(fields)
        .filter(isKept)
        .map((name) => [name, '•']),
    ),
  }
}

export type RecordFormOptions = { resource: AnyResource; record?: Row | undefined; start?: FormStart | undefined }

/** Form of a new or stored record: fields by role and rule, validated by the server's schemas. */
export function useRecordForm({ resource, record, start }: RecordFormOptions): RecordForm {
  const { language, viewer, permissions, zone = browserZone() } = useConsole()
  const ruleContext = useRuleContext()
  const action = record ? 'edit' : 'create'

  const all = useMemo(() => {
    const { hidden, locked } = permissionsIn(permissions, resource.name)
    const entries = Object.entries(writableFields(resource, action, viewer.role))
    const open = Object.fromEntries(entries.filter(([name]) => !hidden.includes(name) && !locked.includes(name)))
    const given = givenChoices(open, viewer.role, record)
    return action === 'create' ? withGiven(startFields(given), start) : given
  }, [resource, action, viewer, permissions, start, record])

  const initial = useMemo((): Form => {
    const values = record ? valuesOf(all, record) : startInZone(all, startValues(all, start, ruleContext()), zone)
    return { base: values, values, version: typeof record?.version === 'number' ? record.version : 1 }
  }, [all, record, start, ruleContext, zone])

  const whole = useCallback((values: Values): Row => ({ ...record, ...values }), [record])
  const visible = useCallback(
    (values: Values) => visibleFields(all, whole(values), ruleContext(), record),
    [all, whole, ruleContext, record],
  )

  // A form never switches between a new and a stored record.
  const schemaOf = useSchemas(record ? editSchema : createSchema)
  const payloadOf = useCallback(
    (form: Form): Record<string, unknown> => {
      const fields = visible(form.values)
      const names = record
        ? changedNames(form.base, form.values)
        : Object.keys(fields).filter((name) => checkable(form.values[name], fields[name]) !== null)
      const values = Object.fromEntries(
        names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, form.values[name]]),
      )
      return record ? { ...values, version: form.version } : values
    },
    [record, visible],
  )

  const formFaults = useCallback(
    (form: Form) => {
      const fields = visible(form.values)
      const body = Object.fromEntries(
        Object.entries(payloadOf(form)).map(([name, value]) => [name, checkable(value, fields[name])]),
      )
      const checked = check(schemaOf(fields), body)
      const faults = checked.ok ? [] : checked.faults
      const rules = ruleFaults(resource, withStoredSecrets(fields, whole(form.values)), ruleContext()).filter(
        ({ path }) => !faults.some((fault) => fault.path === path),
      )
      return [
        ...inputFaults(fields, form.values, language),
        ...[...faults, ...rules].map((fault) => formFaultOf(fault, fields, language, resource.rules)),
      ]
    },
    [visible, schemaOf, payloadOf, resource, whole, ruleContext, language],
  )
  const sectionsFor = useCallback(
    (form: Form) => {
      const row = whole(form.values)
      return layout(resource, visible(form.values), (rule) => holds(rule, row, ruleContext()))
    },
    [resource, visible, whole, ruleContext],
  )
  const order = useCallback((form: Form) => sectionsFor(form).flatMap(({ names }) => names), [sectionsFor])

  const valuesIn = useCallback((other: Row) => valuesOf(all, other), [all])
  const follow = useCallback(
    (before: Values, after: Values) =>
      record ? after : { ...followPresets(all, before, after, ruleContext()), ...start?.given },
    [all, record, start, ruleContext],
  )
  const state = useFormState({ initial, check: formFaults, order, follow })
  const { form } = state
  return {
    ...state,
    fields: visible(form.values),
    writable: all,
    sections: sectionsFor(form),
    payload: (sent) => cleanPayload(payloadOf(sent), visible(sent.values), schemaOf),
    valuesIn,
  }
}

/** Values normalised by the schema: trimmed, lower case where the type demands. Files are unchanged. */
function cleanPayload(
  body: Record<string, unknown>,
  fields: Fields,
  schemaOf: ReturnType<typeof useSchemas>,
): Record<string, unknown> {
  const files = Object.entries(body).filter(([, value]) => value instanceof File)
  const checkedBody = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, checkable(value, fields[name])]))
  const checked = check(schemaOf(fields), checkedBody)
  return { ...(checked.ok ? checked.value : body), ...Object.fromEntries(files) }
}
