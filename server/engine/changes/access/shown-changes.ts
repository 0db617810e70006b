import { mayReadPath, rolesFor, summaryOf } from '#schema/definition.ts'
import { presentPath } from '#schema/former-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { AccessChange } from './access-changes.ts'

type Shown = (resource: AnyResource, role: Role) => readonly string[]

const seesRecords = (resource: AnyResource, role: Role) =>
  rolesFor(resource, 'show').includes(role) || rolesFor(resource, 'list').includes(role)

/** Fields that stand beside each reference to a record that the role may see. */
const inReferences: Shown = (resource, role) =>
  seesRecords(resource, role) ? summaryOf(resource).filter((path) => mayReadPath(resource, role, path)) : []

/** Fields that a reference shows to a role of records that it may not see. */
const outOfSight: Shown = (resource, role) => {
  const paths = resource.unseen?.[role]
  if (paths?.length === 0) return []
  return ['id', ...(paths ?? []).filter((path) => mayReadPath(resource, role, path))]
}

/** No record is out of the sight of such a role. */
const seesAll = (resource: AnyResource, role: Role) => seesRecords(resource, role) && !resource.scope?.[role]

const kinds: readonly { right: string; of: Shown; isSettled: (resource: AnyResource, role: Role) => boolean }[] = [
  { right: 'read in references', of: inReferences, isSettled: (resource, role) => !seesRecords(resource, role) },
  { right: 'read of records out of sight', of: outOfSight, isSettled: seesAll },
]

/** Fields that references show differently than before. Roles that gain or lose the records are reported by verb. */
export const shownChanges = (before: AnyResource, now: AnyResource): AccessChange[] =>
  roles.flatMap((role) =>
    kinds.flatMap(({ right, of, isSettled }): AccessChange[] => {
      if (isSettled(before, role) || isSettled(now, role)) return []
      const [did, does] = [of(before, role).map((path) => presentPath(now.fields, path)), of(now, role)]
      const about = { role, resource: now.name }
      return [
        ...does
          .filter((path) => !did.includes(path))
          .map((path) => ({ ...about, right: `${right} ${path}`, is: 'more' as const })),
        ...did
          .filter((path) => !does.includes(path))
          .map((path) => ({ ...about, right: `${right} ${path}`, is: 'less' as const })),
      ]
    }),
  )
