import type { Report } from '#schema/check/report/report.ts'
import {
  baseNameOf,
  baseOf,
  type Definitions,
  fieldOf,
  isWritable,
  mayReadPath,
  pathOf,
  rolesFor,
  rolesForAction,
} from '#schema/definition.ts'
import { choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { openForm } from '#schema/form/open-form.ts'
import { listedBy, optionsOf } from '#schema/form/options.ts'
import { isObject } from '#schema/is-object.ts'
import { splitKey } from '#schema/list-query.ts'
import { writableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'

type Pick = { path: string; field: FieldOf<'reference'> | FieldOf<'references'> }

/** References among fields, with the parts of groups and lists. */
const picksIn = (fields: Fields, path: string, fits: (field: Field) => boolean): Pick[] =>
  Object.entries(fields).flatMap(([name, field]): Pick[] => {
    const at = `${path}.${name}`
    if (!isObject(field) || !fits(field)) return []
    if (field.type === 'group' || field.type === 'list')
      return isObject(field.fields) ? picksIn(field.fields, `${at}.fields`, fits) : []
    return isReference(field) ? [{ path: at, field }] : []
  })

/** The definition whose list offers the records; undefined for a route of the server's rules. */
const offeredBy = ({ options, to }: Pick['field'], all: Definitions): AnyResource | undefined =>
  options === undefined ? all.get(to) : listedBy(all, options)

/** A condition may leave the field out for every role that the list is closed to. */
const isAsked = (field: Field) => field.required === true && !('default' in field) && field.when === undefined

/** Forms of a definition, each with its path and the fields that a role fills in. */
function formsOf(
  resource: AnyResource,
  all: Definitions,
): { path: string; roles: readonly Role[]; fieldsFor: (role: Role) => Fields }[] {
  const { name, actions = {} } = resource
  const makes = pathOf(resource, 'create') === undefined ? [] : rolesFor(resource, 'create')
  const ofActions = Object.entries(actions).flatMap(([key, action]) =>
    isObject(action) && isObject(action.form) && action.from === undefined
      ? [
          {
            path: `${name}.actions.${key}.form`,
            roles: rolesForAction(resource, action),
            fieldsFor: (role: Role) => openForm(all, resource, action, role),
          },
        ]
      : [],
  )
  return [{ path: `${name}.fields`, roles: makes, fieldsFor: (role) => writableFields(resource, 'create', role) }, ...ofActions]
}

/** Tabs of a subset's records give the value of a reference to any subset of the same table. */
const isShownTo = (role: Role, { to }: Pick['field'], all: Definitions): boolean =>
  [...all.values()].some((one) => baseOf(one) === baseNameOf(all, to) && rolesFor(one, 'show').includes(role))

/** A reference with choices of its own, wherever a form may show it. */
const isOffered = (field: Field) =>
  field.when === undefined && (field.type === 'group' || field.type === 'list' || optionsOf(field) !== undefined)

export type BlindPick = { path: string; list: string; roles: readonly Role[]; isShown: boolean }

/**
 * Required references that a role can not fill in, since it may not list the records to pick from. `isShown`: it may show one,
 * so that a tab of that record can give the value.
 */
export function blindPicks(resource: AnyResource, all: Definitions): BlindPick[] {
  const found = formsOf(resource, all).flatMap(({ path, roles, fieldsFor }) =>
    roles.flatMap((role) =>
      picksIn(fieldsFor(role), path, isAsked).flatMap((pick) => {
        const list = offeredBy(pick.field, all)
        if (!list || pathOf(list, 'list') === undefined || rolesFor(list, 'list').includes(role)) return []
        return [{ path: pick.path, list: list.name, role, isShown: isShownTo(role, pick.field, all) }]
      }),
    ),
  )
  const keys = new Set(found.map(({ path, isShown }) => `${path} ${isShown}`))
  return [...keys].flatMap((key) => {
    const same = found.filter(({ path, isShown }) => `${path} ${isShown}` === key)
    const [first] = same
    return first ? [{ ...first, roles: same.map(({ role }) => role) }] : []
  })
}

/** The right that a role lacks to load the choices of a reference; undefined when it lacks none, or must pick anyway. */
function lackedFor(role: Role, { field }: Pick, all: Definitions): string | undefined {
  const list = offeredBy(field, all)
  if (!list) return undefined
  if (!rolesFor(list, 'list').includes(role)) return isAsked(field) ? undefined : `list "${list.name}"`
  const [, query = ''] = (field.options ?? '').split('?')
  const names = [...new URLSearchParams(query).keys()].map((key) => splitKey(key).field)
  const closed = names.find((name) => fieldOf(list, name) && !mayReadPath(list, role, name))
  return closed === undefined ? undefined : `read "${closed}" of ${list.name}`
}

/** Choices of a form that a role's console can not load: of a list that it may not have, or by a field that it may not read. */
function checkLoaded(report: Report, resource: AnyResource, all: Definitions): void {
  const edits = {
    path: `${resource.name}.fields`,
    roles: pathOf(resource, 'edit') === undefined ? [] : rolesFor(resource, 'edit'),
    fieldsFor: (role: Role) => writableFields(resource, 'edit', role),
  }
  const found = [...formsOf(resource, all), edits].flatMap(({ path, roles, fieldsFor }) =>
    roles.flatMap((role) =>
      picksIn(fieldsFor(role), path, isOffered).flatMap((pick) => {
        const lacked = lackedFor(role, pick, all)
        return lacked === undefined ? [] : [{ path: pick.path, lacked, role }]
      }),
    ),
  )
  const keyOf = ({ path, lacked }: { path: string; lacked: string }) => `${path} ${lacked}`
  for (const key of new Set(found.map(keyOf))) {
    const same = found.filter((one) => keyOf(one) === key)
    const [first] = same
    const roles = new Set(same.map(({ role }) => role))
    if (first)
      report(
        'blind-options',
        `${first.path}.options`,
        `${[...roles].join(', ')} may fill it in but not ${first.lacked}, so the choices do not load; open that to them, or close the field to them by access.write`,
      )
  }
}

/** `service-engineer` is an option of user.role: the list of those users. */
function meantList(name: string, all: Definitions): string | undefined {
  const key = name.replaceAll('-', '_').toLowerCase()
  for (const other of all.values())
    for (const [field, facts] of Object.entries<Field>(pathOf(other, 'list') === undefined ? {} : other.fields)) {
      const choices = hasChoices(facts) ? choicesOf(facts) : []
      const choice = choices.find((one) => one.toLowerCase() === key)
      if (choice) return `to: '${other.name}', options: '${pathOf(other, 'list')}?${field}=${choice}'`
    }
  return undefined
}

/** References to a resource that no call lists or shows: nobody may see one, so every id is refused. */
function checkTargets(report: Report, resource: AnyResource, all: Definitions): void {
  const isWritten = (field: Field) => isWritable(field, 'create') || isWritable(field, 'edit')
  const forms = Object.entries(resource.actions ?? {}).flatMap(([key, action]) =>
    isObject(action) && isObject(action.form) ? picksIn(action.form, `${resource.name}.actions.${key}.form`, () => true) : [],
  )
  for (const { path, field } of [...picksIn(resource.fields, `${resource.name}.fields`, isWritten), ...forms]) {
    const target = all.get(field.to)
    const hasCalls = !target || pathOf(target, 'list') !== undefined || pathOf(target, 'show') !== undefined
    if (hasCalls || field.options !== undefined) continue
    const meant = meantList(field.to, all)
    const among = [...all.values()].flatMap((one) => (pathOf(one, 'list') === undefined ? [] : [one.name]))
    report(
      'unlisted-target',
      `${path}.to`,
      `no call lists or shows a "${field.to}", so every id is refused${meant ? `; did you mean ${meant}?` : ''}`,
      meant ? undefined : { word: '', among },
    )
  }
}

/** References that nobody, or not every role that is asked for them, can fill in. */
export function checkPicks(report: Report, resource: AnyResource, all: Definitions): void {
  checkTargets(report, resource, all)
  checkLoaded(report, resource, all)
  for (const { path, list, roles, isShown } of blindPicks(resource, all))
    if (!isShown)
      report(
        'blind-pick',
        path,
        `it is required of ${roles.join(', ')}, who may not list "${list}" to pick one; add the role to access.list of ${list}, with a \`scope\` where it sees only some, name \`options\` of a list that it has, or drop required`,
      )
}

/** The same where a role may show the records at least: the form is filled in from a tab of such a record only. */
export function remindOfPicks(report: Report, resource: AnyResource, all: Definitions): void {
  for (const { path, list, roles, isShown } of blindPicks(resource, all))
    if (isShown)
      report(
        'blind-choice',
        path,
        `it is required of ${roles.join(', ')}, who may show but not list "${list}", so that only a tab of such a record fills it in; add the role to access.list of ${list}, or name \`options\` of a list that it has`,
      )
}
