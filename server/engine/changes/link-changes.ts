import { type Definitions, listOf, routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { appliedOf } from './renames.ts'

/** A bookmarked address that now leads elsewhere, or nowhere. */
export type LinkChange = { resource: string; address: string; why: string }

const missing = (before: object | undefined, now: object | undefined) =>
  Object.keys(before ?? {}).filter((name) => !Object.hasOwn(now ?? {}, name))

function changesOf(before: AnyResource, now: AnyResource): LinkChange[] {
  const [old, route] = [routeOf(before), routeOf(now)]
  const link = (address: string, why: string): LinkChange => ({ resource: now.name, address, why })
  return [
    ...(old === route ? [] : [link(`/${old}`, `the pages are at /${route} now`)]),
    ...(before.name === now.name ? [] : [link(`/api/${before.name}`, `the calls are at /api/${now.name} now`)]),
    ...listOf(before)
      .filters.filter((name) => !listOf(now).filters.includes(name))
      .map((name) => link(`/${old}?${name}=…`, 'the list has no such filter any more')),
    ...missing(before.list?.views, now.list?.views).map((name) => link(`/${old}`, `the view "${name}" is gone`)),
    ...missing(before.tabs, now.tabs).map((name) => link(`/${old}/{id}/${name}`, 'the record has no such tab any more')),
    ...missing(before.fields, now.fields).map((name) => link(`/api/${now.name}`, `"${name}" is gone from what travels`)),
  ]
}

/** Addresses that stop working, including those of removed resources. */
export function linkChanges(applied: AppliedDefinitions, definitions: Definitions): LinkChange[] {
  const known = new Set<AnyResource>()
  const changes = [...definitions.values()].flatMap((resource) => {
    const before = appliedOf(applied, resource)
    if (before) known.add(before)
    return before ? changesOf(before, resource) : []
  })
  const gone = [...applied.values()].filter((resource) => !known.has(resource))
  return [
    ...changes,
    ...gone.map((resource) => ({ resource: resource.name, address: `/${routeOf(resource)}`, why: 'the resource is gone' })),
  ]
}
