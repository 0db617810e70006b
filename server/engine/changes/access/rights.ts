import { allFields, isWritable, mayRead, mayWrite, rolesFor, rolesForAction } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { fieldBefore, presentName } from '#schema/former-names.ts'
import { type AnyResource, verbs } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'

/** Roles that have a right. `within`: the right that includes this one, and is reported in its place. */
export type Right = { roles: ReadonlySet<Role>; within?: string }
export type Rights = Map<string, Right>

/** A field or part with those around it, by its present path. */
type Placed = { path: string; parent?: string; steps: readonly Field[] }

/** Former or present fields with their parts, by present paths. */
export function* placesOf(
  fields: Fields,
  now: Fields,
  around: Omit<Placed, 'parent'> = { path: '', steps: [] },
): Generator<Placed> {
  for (const [name, field] of Object.entries(fields)) {
    const present = presentName(now, name)
    const parent = around.path === '' ? {} : { parent: around.path }
    const placed = { ...parent, path: [around.path, present].filter(Boolean).join('.'), steps: [...around.steps, field] }
    yield placed
    const stands = now[present]
    if ('fields' in field) yield* placesOf(field.fields, stands && 'fields' in stands ? stands.fields : {}, placed)
  }
}

/** The field at the path, and the one that it was; undefined for a new or removed one. */
export function fieldsAt(before: Fields, now: Fields, path: string): { stood?: Field | undefined; stands?: Field | undefined } {
  const [name = '', ...rest] = path.split('.')
  const stands = now[name]
  const stood = stands ? fieldBefore(before, name, stands) : before[name]
  if (rest.length === 0) return { stood, stands }
  const partsOf = (field: Field | undefined): Fields => (field && 'fields' in field ? field.fields : {})
  return fieldsAt(partsOf(stood), partsOf(stands), rest.join('.'))
}

/** A secret is in no answer, whatever the role. */
const isShownTo = (field: Field, role: Role) => field.type !== 'secret' && mayRead(field, role)

/** All permissions of a role in a definition, by readable name. Fields have their current names. */
export function rightsOf(resource: AnyResource | undefined, now: AnyResource): Rights {
  const rights: Rights = new Map()
  if (!resource) return rights
  const set = (right: string, roles: readonly Role[], within?: string) =>
    rights.set(right, { roles: new Set(roles), ...(within === undefined ? {} : { within }) })
  for (const verb of verbs) set(verb, rolesFor(resource, verb))
  for (const { path, parent, steps } of placesOf(allFields(resource), now.fields)) {
    const within = (verb: string) => (parent === undefined ? undefined : `${verb} ${parent}`)
    const reading = rolesFor(resource, 'show').filter((role) => steps.every((step) => isShownTo(step, role)))
    set(`read ${path}`, reading, within('read'))
    // A rule closes a field in some records only.
    const writers = (['edit', 'create'] as const).flatMap((verb) =>
      steps.every((step) => isWritable(step, verb)) ? rolesFor(resource, verb) : [],
    )
    const writing = writers.filter((role) => steps.every((step) => mayWrite(step, role)))
    set(`write ${path}`, writing, within('write'))
    const unasked = steps.some(({ fresh }) => fresh) ? [] : writing
    set(`write without confirmation ${path}`, unasked, `write ${path}`)
  }
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    const roles = rolesForAction(resource, action)
    set(`action ${name}`, roles)
    set(`action without confirmation ${name}`, action.fresh ? [] : roles, `action ${name}`)
    for (const path of action.writes ?? []) {
      const field = resource.fields[path]
      const denied = roles.filter((role) => !field || !mayWrite(field, role))
      set(`write by ${name} ${presentName(now.fields, path)}`, denied, `write ${presentName(now.fields, path)}`)
    }
  }
  return rights
}
