import { allFields, baseOf, fieldAt, isWritable, mayWrite, reasonField, rolesForAction } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { closedSettings, fieldsOfTable, openForm } from '#schema/form/open-form.ts'
import { isObject } from '#schema/is-object.ts'
import { type Action, type AnyResource, systemFields } from '#schema/resource.ts'
import { checkConditions } from './check-conditions.ts'
import { checkLinks } from './check-links.ts'
import { checkSteps } from './check-steps.ts'
import { areAlike, checkConstant, checkTemplate, kindWords, valueKindOf } from './check-values.ts'
import { checkOutcome } from './outcome/check-outcome.ts'
import { entriesOf, type Report, unknownWords, withArticle } from './report/report.ts'
import { mentioned } from './shape/mentioned.ts'
import { checkPointer, elsewhere, pointsElsewhere } from './use/check-pointer.ts'

type Definitions = ReadonlyMap<string, AnyResource>
/** Names of the actions with a handler on the server, by resource; undefined = not known. */
export type Handlers = Readonly<Record<string, readonly string[]>>

type Sources = { form: Fields; record: Fields; resource: AnyResource; all: Definitions }

/** A value written by an action must be valid for its field. */
function checkValue(report: Report, path: string, field: Field, value: unknown, sources: Sources): void {
  if (field.derived || field.type === 'count')
    return report('set-derived', path, 'the field is derived: the server computes it, and nothing sets it')
  const [source = '', ...rest] = String(value).slice(1).split('.')
  const from = source === 'form' ? sources.form : source === 'record' ? sources.record : {}
  const other = fieldAt(from, rest.join('.'))
  if (field.type === 'reference') return checkPointer(report, path, field, { value, other, ...sources })
  if (typeof value !== 'string' || !value.startsWith('$')) {
    if (valueKindOf(field) !== 'none') checkConstant(report, path, field, value)
    return
  }
  checkTemplate(report, path, field, value, other)
  if (other && pointsElsewhere(field, other, sources.all)) report('wrong-kind', path, elsewhere(field, other))
}

function checkSet(report: Report, resource: AnyResource, path: string, action: Action, all: Definitions): void {
  const fields = allFields(resource)
  for (const [name, value] of entriesOf(action.set)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const sources = { form: action.form ?? {}, record: fields, resource, all }
    if (field) checkValue(report, `${path}.set.${name}`, field, value, sources)
  }
}

const takenBy = (action: Action) =>
  JSON.stringify([action.set ?? {}, action.checks ?? {}, action.guard ?? {}, action.call ?? []])

/** Without a handler the server writes form values to fields of the record: each must exist there with the same kind. */
function checkFormFields(report: Report, path: string, action: Action, fields: Fields, all: Definitions): void {
  const taken = takenBy(action)
  for (const [name, field] of Object.entries(action.form ?? {})) {
    const stored = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isTaken = taken.includes(`$form.${name}`) || action.guard?.confirm === name || name === reasonField(action)
    if (!stored && !isTaken)
      report(
        'form-field-unused',
        `${path}.form.${name}`,
        'nothing takes the value: it is no field of the record, and the action has no handler',
        {
          word: name,
          among: Object.keys(fields),
        },
      )
    else if (stored && !areAlike(stored, field) && stored.type !== field.type)
      report(
        'form-field-differs',
        `${path}.form.${name}`,
        `the record has ${withArticle(stored.type)} of that name, and this is ${withArticle(field.type)}; take its type, or another name`,
      )
    else if (stored && pointsElsewhere(stored, field, all))
      report('form-field-differs', `${path}.form.${name}.to`, `${elsewhere(stored, field)}; take its target, or another name`)
  }
}

/** True when the form's values are written to the record itself. */
function isOwnEffect(resource: AnyResource, name: string, action: Action, handlers: Handlers | undefined): boolean {
  if (!handlers || action.through) return false
  const base = baseOf(resource)
  if ([resource.name, base].some((one) => handlers[one]?.includes(name))) return false
  return action.call === undefined || action.call[1].startsWith(`${base}/{id}/`)
}

function checkTyped(report: Report, path: string, action: Action, fields: Fields): void {
  const typed = action.confirm?.typeToConfirm
  const field = typed === undefined ? undefined : fieldAt(fields, typed)
  if (field && valueKindOf(field) !== 'text')
    report(
      'unsuited-confirm',
      `${path}.confirm.typeToConfirm`,
      `${withArticle(field.type)} is ${kindWords(field)}; name a text that can be typed`,
    )
  else if (field && field.required === undefined && !field.derived && !Object.hasOwn(systemFields, String(typed)))
    report(
      'unsuited-confirm',
      `${path}.confirm.typeToConfirm`,
      `"${typed}" may be empty, and then nothing has to be typed; say required: true there, or name a field that is`,
    )
  else if (field && action.on === 'list')
    report('unsuited-confirm', `${path}.confirm.typeToConfirm`, 'an action of a list has no record whose value can be typed')
}

/** Fields of a form that not every role that may run the action can fill in, though they are required, or that none can. */
function checkAsked(report: Report, resource: AnyResource, path: string, action: Action, all: Definitions): void {
  const forms = rolesForAction(resource, action).map((role) => ({ role, form: openForm(all, resource, action, role) }))
  for (const [name, field] of Object.entries(action.form ?? {})) {
    const isNeeded = field.required === true && !('default' in field) && !field.when
    const shut = forms.filter(({ form }) => !Object.hasOwn(form, name)).map(({ role }) => role)
    if (shut.length === 0) continue
    if (isNeeded)
      report(
        'required-unwritable',
        `${path}.form.${name}`,
        `it is required, and closed to ${shut.join(', ')}; name it in \`writes\` of the action`,
      )
    else if (field.required === undefined && shut.length === forms.length)
      report(
        'writes-closed',
        `${path}.form.${name}`,
        'it is closed to every role that may run the action, so no form asks for it; name it in `writes` of the action',
      )
  }
}

/** An action must not write by itself what a role that may run it may not write, unless `writes` says so. */
function checkClosed(report: Report, resource: AnyResource, path: string, action: Action, all: Definitions): void {
  const roles = rolesForAction(resource, action)
  const fields = fieldsOfTable(all, resource)
  const closed = roles.map((role) => ({ role, names: closedSettings(action, fields, role) }))
  for (const name of new Set(closed.flatMap(({ names }) => names)))
    report(
      'writes-closed',
      `${path}.${Object.hasOwn(action.set ?? {}, name) ? 'set' : 'body'}.${name}`,
      `"${name}" is closed to ${closed.flatMap(({ role, names }) => (names.includes(name) ? role : [])).join(', ')}, who may run it and are refused; name it in \`writes\` of the action, or leave them out of its \`roles\``,
    )
}

function checkWrites(report: Report, resource: AnyResource, path: string, action: Action): void {
  unknownWords(report, 'unknown-field', `${path}.writes`, action.writes, Object.keys(resource.fields), 'field')
  const roles = rolesForAction(resource, action)
  for (const name of action.writes ?? []) {
    const field = resource.fields[name]
    if (field && roles.every((role) => mayWrite(field, role)))
      report('writes-nothing', `${path}.writes`, `"${name}" is open to every role that may run it; drop it`)
  }
}

/** Checks the declared effect of actions on records. */
export function checkEffects(report: Report, resource: AnyResource, all: Definitions, handlers: Handlers | undefined): void {
  const fields = allFields(resource)
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    if (!isObject(action)) continue
    const path = `${resource.name}.actions.${name}`
    const form = action.form ?? {}
    if (Object.values(form).some((field) => !isObject(field))) continue
    checkSet(report, resource, path, action, all)
    checkWrites(report, resource, path, action)
    checkTyped(report, path, action, fields)
    checkConditions(report, resource, `${path}.form`, form, { ...fields, ...form })
    checkLinks(report, `${path}.form`, form, { ...fields, ...form }, all)
    checkAsked(report, resource, path, action, all)
    const isWritten = isOwnEffect(resource, name, action, handlers)
    checkSteps(report, resource, path, action, isWritten)
    if (!isWritten) continue
    checkFormFields(report, path, action, fields, all)
    checkClosed(report, resource, path, action, all)
    if (Object.keys({ ...form, ...action.set }).length === 0)
      report(
        'does-nothing',
        path,
        'it has no `form`, no `set` and no handler, so it changes nothing; say what it sets, or write the handler',
      )
    checkOutcome(report, resource, path, action)
  }
}

const isSystem = (name: string) => Object.hasOwn(systemFields, name)

/** Fields that a definition uses in its sections, in what else it says, and in conditions and facts of fields. */
function mentions({ fields, ...rest }: AnyResource): Set<string> {
  const own = mentioned({ ...rest, fields: {} }, { of: 'Resource' })
  return new Set([...own, ...Object.values(fields).flatMap((field) => [...mentioned(field, { of: 'Field' })])])
}

const isFormField = (field: Field) => isWritable(field, 'create') || isWritable(field, 'edit')

/** Reports fields that no page shows: with sections, a field must be in one of them or have another use. */
export function checkUnseen(report: Report, resource: AnyResource): void {
  if (!resource.sections) return
  const known = mentions(resource)
  const hasWidget = Object.values(resource.tabs ?? {}).some((tab) => 'widget' in tab && tab.widget !== undefined)
  if (hasWidget || resource.head) return
  for (const [name, field] of Object.entries(resource.fields))
    if (
      !known.has(name) &&
      !isSystem(name) &&
      field.type !== 'secret' &&
      !field.sortOnly &&
      (isFormField(field) || !field.derived)
    )
      report(
        'field-unseen',
        `${resource.name}.fields.${name}`,
        'it stands in no section, so no page shows it; name it in one of `sections`',
      )
}
