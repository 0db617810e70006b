import { allFields, type Definitions, mayRead, mayWrite, rolesFor, rolesForAction } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { presentName } from '#schema/former-names.ts'
import { type AnyResource, verbs } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { appliedField, appliedOf } from './renames.ts'

/** A right that a role has now and had not, or the other way round. `rows`: those that become visible or hidden, before scopes. */
export type AccessChange = {
  role: string
  resource: string
  right: string
  is: 'more' | 'less' | 'other'
  rows?: { more: number; less: number }
}

type Rights = Map<string, ReadonlySet<Role>>

/** A secret is in no answer, whatever the role. */
const isShownTo = (field: Field, role: Role) => field.type !== 'secret' && mayRead(field, role)

/** All permissions of a role in a definition, by readable name. Fields have their current names. */
function rightsOf(resource: AnyResource | undefined, now: AnyResource): Rights {
  const rights: Rights = new Map()
  if (!resource) return rights
  for (const verb of verbs) rights.set(verb, new Set(rolesFor(resource, verb)))
  for (const [name, field] of Object.entries(allFields(resource))) {
    const seen = rolesFor(resource, 'show').filter((role) => isShownTo(field, role))
    rights.set(`read ${presentName(now.fields, name)}`, new Set(seen))
    const writing = [...rolesFor(resource, 'edit'), ...rolesFor(resource, 'create')].filter((role) => mayWrite(field, role))
    if (!field.readOnly && !field.derived) rights.set(`write ${presentName(now.fields, name)}`, new Set(writing))
  }
  for (const [name, action] of Object.entries(resource.actions ?? {}))
    rights.set(`action ${name}`, new Set(rolesForAction(resource, action)))
  return rights
}

const nobody: ReadonlySet<Role> = new Set()

/** A new or removed field is reported by its verb, not once per reader. */
const isNews = (right: string, before: AnyResource | undefined, now: AnyResource) => {
  const [kind, name = ''] = right.split(' ')
  if (kind !== 'read' && kind !== 'write') return true
  const field = now.fields[name]
  return !field || !before || appliedField(before, name, field) !== undefined || field.access !== undefined
}

function rightChanges(before: AnyResource | undefined, now: AnyResource): AccessChange[] {
  const [had, has] = [rightsOf(before, now), rightsOf(now, now)]
  const rights = [...new Set([...had.keys(), ...has.keys()])].filter((right) => isNews(right, before, now))
  return rights.flatMap((right) => {
    const [did, does] = [had.get(right) ?? nobody, has.get(right) ?? nobody]
    return roles
      .filter((role) => did.has(role) !== does.has(role))
      .map((role): AccessChange => ({ role, resource: now.name, right, is: does.has(role) ? 'more' : 'less' }))
  })
}

/** A row condition that was added, removed or changed. */
const scopeChanges = (before: AnyResource, now: AnyResource): AccessChange[] =>
  roles.flatMap((role): AccessChange[] => {
    const [did, does] = [before.scope?.[role], now.scope?.[role]]
    if (JSON.stringify(did) === JSON.stringify(does)) return []
    return [{ role, resource: now.name, right: 'rows in sight', is: !does ? 'more' : !did ? 'less' : 'other' }]
  })

const changesOf = (before: AnyResource | undefined, now: AnyResource): AccessChange[] => [
  ...rightChanges(before, now),
  ...(before ? scopeChanges(before, now) : []),
]

/**
 * Permissions that differ from the applied definitions. Without applied ones nothing is reported, since everything would be
 * new.
 */
export function accessChanges(applied: AppliedDefinitions, definitions: Definitions): AccessChange[] {
  if (applied.size === 0) return []
  return [...definitions.values()].flatMap((resource) => changesOf(appliedOf(applied, resource), resource))
}
