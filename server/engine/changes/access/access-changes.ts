import { type Definitions, mayWrite, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import type { AppliedDefinitions } from '#server/engine/changes/applied-definitions.ts'
import { appliedField, appliedOf } from '#server/engine/changes/renames.ts'
import { fieldsAt, type Right, rightsOf } from './rights.ts'
import { shownChanges } from './shown-changes.ts'

/** A right that a role has now and had not, or the other way round. `rows`: those that become visible or hidden, before scopes. */
export type AccessChange = {
  role: string
  resource: string
  right: string
  is: 'more' | 'less' | 'other'
  rows?: { more: number; less: number }
}

const nobody: Right = { roles: new Set() }

/** The field that a right is about. */
const pathOf = (right: string) => (/^(?:read|write) /.test(right) ? right.slice(right.lastIndexOf(' ') + 1) : undefined)

/** A new or removed field is reported by its verb, not once per reader. */
const isNews = (right: string, before: AnyResource | undefined, now: AnyResource) => {
  const path = pathOf(right)
  if (path === undefined || !before) return true
  const { stood, stands } = fieldsAt(before.fields, now.fields, path)
  return !stands || stood !== undefined || stands.access !== undefined
}

const keyOf = ({ role, is }: AccessChange, right: string) => JSON.stringify([role, is, right])

function rightChanges(before: AnyResource | undefined, now: AnyResource): AccessChange[] {
  const [had, has] = [rightsOf(before, now), rightsOf(now, now)]
  const rights = [...new Set([...had.keys(), ...has.keys()])].filter((right) => isNews(right, before, now))
  const changes = rights.flatMap((right) => {
    const [did, does] = [(had.get(right) ?? nobody).roles, (has.get(right) ?? nobody).roles]
    return roles
      .filter((role) => did.has(role) !== does.has(role))
      .map((role): AccessChange => ({ role, resource: now.name, right, is: does.has(role) ? 'more' : 'less' }))
  })
  const listed = new Set(changes.map((change) => keyOf(change, change.right)))
  return changes.filter((change) => {
    const within = (has.get(change.right) ?? had.get(change.right))?.within
    return within === undefined || !listed.has(keyOf(change, within))
  })
}

/** Fields that a rule closes, by another one than before or in other records. */
const closingChanges = (before: AnyResource, now: AnyResource): AccessChange[] => {
  const writers = new Set([...rolesFor(now, 'edit'), ...rolesFor(now, 'create')])
  return Object.entries(now.fields).flatMap(([name, field]) => {
    const stood = appliedField(before, name, field)
    const [did, does] = [stood?.readOnly, field.readOnly]
    if (!stood || did === true || does === true || JSON.stringify(did) === JSON.stringify(does)) return []
    return roles
      .filter((role) => writers.has(role) && mayWrite(field, role) && mayWrite(stood, role))
      .map(
        (role): AccessChange => ({
          role,
          resource: now.name,
          right: `write ${name}`,
          is: !does ? 'more' : !did ? 'less' : 'other',
        }),
      )
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
  ...(before ? [...closingChanges(before, now), ...shownChanges(before, now), ...scopeChanges(before, now)] : []),
]

/**
 * Permissions that differ from the applied definitions. Without applied ones nothing is reported, since everything would be
 * new.
 */
export function accessChanges(applied: AppliedDefinitions, definitions: Definitions): AccessChange[] {
  if (applied.size === 0) return []
  return [...definitions.values()].flatMap((resource) => changesOf(appliedOf(applied, resource), resource))
}
