import { allFields, baseOf, type Definitions, isWritable, mayWrite, rolesFor } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { startsOf } from '#schema/form/start-states.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { fieldsOfRule, isTemplate, type Rule, topOf } from '#schema/rule.ts'
import { checkFactRules, checkPresets } from './check-presets.ts'
import { checkRule } from './check-rules.ts'
import { cycleOf } from './report/dependency-cycle.ts'
import type { KnownNames } from './report/known-names.ts'
import { newCount, type Report, unknownWords } from './report/report.ts'

/** The fields that the condition of a field reads, by name. */
const readBy = (fields: Fields, name: string): string[] => {
  const when: Rule | undefined = fields[name]?.when
  return when ? fieldsOfRule(when).map(topOf) : []
}

/** Checks conditions of fields, in a definition or in a form over its records; `all` holds the fields they may read. */
export function checkConditions(report: Report, resource: AnyResource, path: string, fields: Fields, all: Fields): void {
  const sound = Object.fromEntries(
    Object.entries(fields).filter(([name, field]) => {
      const counted = newCount(report)
      if (field.when) checkRule(counted.report, resource, `${path}.${name}.when`, field.when, all)
      return counted.count() === 0
    }),
  )
  checkFactRules(report, resource, path, fields, all)
  checkPresets(report, path, fields, all)
  for (const name of Object.keys(sound)) {
    const cycle = cycleOf(name, (one) => readBy(sound, one))
    if (cycle)
      report(
        'circular-when',
        `${path}.${name}.when`,
        `the field is shown by its own value, so it never appears: ${cycle.join(' → ')}`,
      )
  }
}

/** A role that may create must be able to fill all required fields. */
function checkRequired(report: Report, resource: AnyResource, name: string, field: Field): void {
  if (field.required !== true || field.readOnly === true || field.derived || field.when || 'default' in field) return
  if (Object.hasOwn(resource.subset?.where ?? {}, name)) return
  const shut = rolesFor(resource, 'create').filter((role) => !mayWrite(field, role))
  if (shut.length > 0 && resource.api?.create !== false)
    report(
      'required-unwritable',
      `${resource.name}.fields.${name}.access`,
      `it is required, and ${shut.join(', ')} may create but not write it; add the role to access.write, or drop required`,
    )
}

function checkAccess(report: Report, resource: AnyResource, name: string, { access }: Field): void {
  const blind = (access?.write ?? []).filter((role) => access?.read && !access.read.includes(role))
  if (blind.length > 0)
    report(
      'writes-unseen',
      `${resource.name}.fields.${name}.access.write`,
      `${blind.join(', ')} may write but not read it, so it is closed to them; add the role to access.read`,
    )
}

type Stated = { name: string; field: Field; handlers: KnownNames['handlers'] }

function checkStates(report: Report, resource: AnyResource, { name, field, handlers }: Stated): void {
  if (field.type !== 'status') return
  const path = `${resource.name}.fields.${name}`
  const names = Object.keys(field.states)
  unknownWords(report, 'unknown-state', `${path}.starts`, field.starts, names, 'state')
  const next = Object.values(field.states).flatMap((state) => state.next ?? [])
  // Without transitions, or when the server sets the state, no state needs an incoming transition.
  const isSetByServer =
    !isWritable(field, 'edit') && (!handlers || [resource.name, baseOf(resource)].some((one) => handlers[one]))
  if (next.length === 0 || field.derived || isSetByServer) return
  const set = Object.values(resource.actions ?? {}).flatMap((action) => [action.set?.[name], action.body?.[name]])
  const asked = Object.values(resource.actions ?? {}).some(({ form }) => form && Object.hasOwn(form, name))
  const known = new Set<unknown>([...next, ...startsOf(field), ...set])
  if (asked || set.some(isTemplate)) return
  for (const state of names.filter((one) => !known.has(one)))
    report(
      'unreachable-state',
      `${path}.states.${state}`,
      `no record starts in it, no state leads to it and no action sets it; add "${state}" to \`starts\`, or to \`next\` of another state`,
    )
}

/** Cross-checks of the fields of a definition: conditions, permissions, states. */
export function checkTerms(report: Report, resource: AnyResource, _all: Definitions, { handlers }: KnownNames): void {
  checkConditions(report, resource, `${resource.name}.fields`, resource.fields, allFields(resource))
  for (const [name, field] of Object.entries(resource.fields)) {
    checkRequired(report, resource, name, field)
    checkAccess(report, resource, name, field)
    checkStates(report, resource, { name, field, handlers })
  }
}

/** Reports roles with rights on records that they can never see. */
export function checkUnseenRoles(report: Report, resource: AnyResource, all: ReadonlyMap<string, AnyResource>): void {
  const { name } = resource
  const isElsewhere = [...all.values()].some((other) =>
    Object.values(other.tabs ?? {}).some((tab) => 'resource' in tab && tab.resource === name && tab.from !== undefined),
  )
  const unseen = (path: string, list: readonly string[], verb: 'show' | 'list', what: string) => {
    const blind = list.filter((role) => roles.some((one) => one === role && !rolesFor(resource, verb).includes(one)))
    if (blind.length > 0 && !isElsewhere)
      report('acts-unseen', path, `${blind.join(', ')} may ${what} but not see the record; add the role to access.${verb}`)
  }
  for (const verb of ['edit', 'delete'] as const) unseen(`${name}.access.${verb}`, rolesFor(resource, verb), 'show', verb)
  for (const [key, { roles: own, on }] of Object.entries(resource.actions ?? {}))
    if (Array.isArray(own)) unseen(`${name}.actions.${key}.roles`, own, on === 'list' ? 'list' : 'show', 'run it')
  for (const [kind, sets] of Object.entries({ 'list.views': resource.list?.views, figures: resource.figures }))
    for (const [key, { roles: own }] of Object.entries(sets ?? {}))
      if (Array.isArray(own)) unseen(`${name}.${kind}.${key}.roles`, own, 'list', 'be offered it')
  const blind = Object.keys(resource.scope ?? {}).filter((role) =>
    roles.some((one) => one === role && !rolesFor(resource, 'list').includes(one)),
  )
  if (blind.length > 0 && !isElsewhere)
    report(
      'acts-unseen',
      `${name}.scope`,
      `${blind.join(', ')} may not list it, so the scope limits nothing; add the role to access.list, or drop it here`,
    )
}
