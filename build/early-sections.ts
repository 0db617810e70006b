import type { EarlyPlan, FirstCall } from '#console/early-plan.ts'
import { resources } from '#resources/index.ts'
import { definitionsOf, listOf, pathOf, rolesFor, routeOf } from '#schema/definition.ts'
import { wireQuery } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'

type Calls = EarlyPlan['sections'][string]

function listCall(resource: AnyResource): FirstCall | undefined {
  const path = pathOf(resource, 'list')
  const { sort, limit } = listOf(resource)
  const query = wireQuery({ filters: [], sort: [sort], start: 0, end: limit })
  return path ? { url: `${path}?${query}`, roles: rolesFor(resource, 'list') } : undefined
}

function callsOf(resource: AnyResource): Calls {
  const list = listCall(resource)
  const record = pathOf(resource, 'show')
  return { ...(list ? { list } : {}), ...(record ? { record: { url: record, roles: rolesFor(resource, 'show') } } : {}) }
}

/** First calls of every section of the console: its list without conditions, and its record. */
export const sections: EarlyPlan['sections'] = Object.fromEntries(
  [...definitionsOf(resources).values()].map((resource) => [routeOf(resource), callsOf(resource)]),
)
