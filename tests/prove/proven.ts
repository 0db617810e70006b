import { resources } from '#resources/index.ts'
import { type Definitions, definitionsOf, pathOf, rolesFor } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { rulesByResource } from '#server/app/rules.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { boothResources } from '#tests/support/booth-definitions.ts'

export type Json = Record<string, unknown>

/** A definition that is proven, with those that it points to and the rules of the server that holds them. */
export type Proven = {
  resource: AnyResource
  definitions: Definitions
  rules: RulesByResource
}

/** The definition of this name out of some. */
export function provenOf(name: string, all: readonly AnyResource[], rules: RulesByResource): Proven {
  const resource = all.find((one) => one.name === name)
  if (!resource) throw new Error(`There is no resource "${name}". Name one of: ${all.map((one) => one.name).join(', ')}`)
  return { resource, definitions: definitionsOf(all), rules }
}

/** A definition of the product. */
export const provenOfProduct = (name: string): Proven => provenOf(name, resources, rulesByResource)

const wanted = process.env.PROVE

/** The definition that `PROVE` names, or one of the tests. */
export const proven: Proven = wanted ? provenOfProduct(wanted) : provenOf('booth', boothResources, {})

export const fieldsOf = ({ fields }: AnyResource): [string, Field][] => Object.entries<Field>(fields)

/** A new record has to name a value of its own. */
export const isNeeded = (field: Field): boolean => field.required === true && !('default' in field)

export const addressOf = (of: AnyResource, verb: Verb, id: unknown = ''): string =>
  String(pathOf(of, verb)).replace('{id}', String(id))

const unscoped = (of: AnyResource, roles: readonly Role[]) => roles.filter((role) => !of.scope?.[role])

/** A role that makes records, one that may see all of them before others; undefined where no call makes one. */
export function makerOf(of: AnyResource): Role | undefined {
  if (pathOf(of, 'create') === undefined) return undefined
  const makers = rolesFor(of, 'create')
  return unscoped(of, makers)[0] ?? makers[0]
}

/** A role that makes and changes any record, or makes it where no role changes one; undefined where records come otherwise. */
export function creatorOf(of: AnyResource): Role | undefined {
  const makers = pathOf(of, 'create') === undefined ? [] : unscoped(of, rolesFor(of, 'create'))
  const editors = rolesFor(of, 'edit')
  return editors.length === 0 ? makers[0] : makers.find((role) => editors.includes(role))
}
