import { baseOf, type Definitions } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Caller } from '#server/base/caller.ts'
import type { RulesByResource, Source } from '#server/engine/sql/field-sql.ts'
import type { ResourceRules, Row } from './resource-rules.ts'

/** Definitions by name, with the rules of their resources and the clock that their SQL goes by. */
export type Catalog = { definitions: Definitions; rules: RulesByResource; clock: () => Date }

/** SQL source of a resource; with a caller, restricted to the rows in scope. */
export const sourceFor = ({ definitions, rules, clock }: Catalog, resource: AnyResource, caller?: Caller): Source => ({
  definitions,
  rules,
  resource,
  caller,
  now: clock(),
})

/** Definitions over a resource's table: the base first, then its subsets. */
export function familyOf({ definitions }: Catalog, resource: AnyResource): readonly AnyResource[] {
  const members = [...definitions.values()].filter((other) => baseOf(other) === baseOf(resource))
  return members.toSorted((a, b) => Number(!!a.subset) - Number(!!b.subset))
}

/** True when a row belongs to a resource: rows of a subset have exactly its values. */
export const belongsTo = (resource: AnyResource, record: Row): boolean =>
  Object.entries(resource.subset?.where ?? {}).every(([name, value]) => record[name] === value)

/** Rules of these definitions, in order. */
export const rulesOf = ({ rules }: Catalog, resources: readonly AnyResource[]): readonly ResourceRules[] =>
  resources.flatMap(({ name }) => rules[name] ?? [])
