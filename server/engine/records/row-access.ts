import { rolesFor } from '#schema/definition.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import { holds, type RuleContext } from '#schema/rule.ts'
import { problem } from '#server/base/problems.ts'
import { belongsTo, type Catalog } from './catalog.ts'
import type { Row } from './resource-rules.ts'

/** Access of a caller to one row: the definitions that apply, and fields of the own record where no role allows more. */
export type Sight = { resources: readonly AnyResource[]; own: readonly AnyResource[] }

type Asked = { resources: readonly AnyResource[]; verb: Verb; record: Row; context: RuleContext }

/** True when a row is within the scope of a role. */
export function inScope(resource: AnyResource, record: Row, context: RuleContext): boolean {
  const scope = resource.scope?.[context.user.role]
  return !scope || holds(scope, record, context)
}

const isOwn = ({ rules }: Catalog, { verb, record, context }: Asked) => {
  return ({ name }: AnyResource) => {
    const own = rules[name]?.own
    const covers = verb === 'show' || (verb === 'edit' && (own?.edit?.length ?? 0) > 0)
    return !!own && covers && holds(own.when, record, context)
  }
}

/** As which of the definitions that share a path a caller may use a verb on a row. */
export function sightOf(catalog: Catalog, asked: Asked): Sight {
  const { resources, verb, record, context } = asked
  const fitting = resources.filter((resource) => belongsTo(resource, record) && inScope(resource, record, context))
  const byRole = fitting.filter((resource) => rolesFor(resource, verb).includes(context.user.role))
  const own = fitting.filter((resource) => !byRole.includes(resource)).filter(isOwn(catalog, asked))
  return { resources: byRole, own }
}

export const usedAs = ({ resources, own }: Sight): readonly AnyResource[] => [...resources, ...own]

const seesNothing = ({ resources, own }: Sight): boolean => resources.length + own.length === 0

/** Refuses a row that the caller may not use the verb on: 403 when the row is seen, else 404, as for one that is not there. */
export function demandSight(catalog: Catalog, asked: Asked): Sight {
  const sight = sightOf(catalog, asked)
  if (!seesNothing(sight)) return sight
  throw problem(seesNothing(sightOf(catalog, { ...asked, verb: 'show' })) ? 'not-found' : 'forbidden')
}
