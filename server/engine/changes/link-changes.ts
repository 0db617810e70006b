import { isDeepStrictEqual } from 'node:util'
import { withArticle } from '#schema/check/report/report.ts'
import { type Definitions, fieldAt, listOf, pathOf, routeOf } from '#schema/definition.ts'
import { choiceLabels } from '#schema/facts/choice-labels.ts'
import { type Field, type Fields, holdsFiles, traitsOf } from '#schema/field-types.ts'
import { presentName, presentPath } from '#schema/former-names.ts'
import type { AnyResource, View } from '#schema/resource.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { appliedOf } from './renames.ts'

/** A bookmarked address that now leads elsewhere, or nowhere. */
export type LinkChange = { resource: string; address: string; why: string }

const missing = (before: object | undefined, now: object | undefined) =>
  Object.keys(before ?? {}).filter((name) => !Object.hasOwn(now ?? {}, name))

/** A filter under the name and with the choices of today: `kind_ne` of a field that is called otherwise. */
function presentFilter([key, value]: [string, unknown], { fields }: AnyResource): [string, unknown] {
  const [name = '', ...op] = key.split('_')
  const now = presentPath(fields, name)
  const field = fieldAt(fields, now)
  const renamed = field && 'choicesWere' in field ? Object.entries(field.choicesWere ?? {}) : []
  const present = (one: unknown): unknown => renamed.find(([, former]) => former === one)?.[0] ?? one
  return [[now, ...op].join('_'), Array.isArray(value) ? value.map(present) : present(value)]
}

const sameFilters = (before: View, now: View, resource: AnyResource) => {
  const filters = Object.entries(before.filters).map((filter) => presentFilter(filter, resource))
  return isDeepStrictEqual(Object.fromEntries(filters), { ...now.filters })
}

/** Views that show other rows under their name. */
const otherViews = (before: AnyResource, now: AnyResource): string[] =>
  Object.entries(before.list?.views ?? {}).flatMap(([name, view]) => {
    const present = now.list?.views?.[name]
    return present && !sameFilters(view, present, now) ? [name] : []
  })

const choicesIn = (field: Field): readonly string[] => [...choiceLabels(field).keys()]

/** Values of an address by which a field was filtered, and that mean nothing any more. */
function filterChanges(name: string, before: Field, now: Field): { value: string; why: string }[] {
  const [compared, compares] = [traitsOf(before).compare, traitsOf(now).compare]
  if (compared !== compares)
    return [{ value: '…', why: `"${name}" was ${withArticle(before.type)} and is ${withArticle(now.type)}` }]
  const [had, has] = [choicesIn(before), choicesIn(now)]
  if (has.length === 0) return []
  const renamed = new Map(Object.entries(('choicesWere' in now && now.choicesWere) || {}).map(([key, former]) => [former, key]))
  return had
    .filter((choice) => !has.includes(choice))
    .map((choice) => {
      const present = renamed.get(choice)
      return { value: choice, why: present ? `the choice is "${present}" now` : 'there is no such choice any more' }
    })
}

/** Addresses with a filter of a field that keeps its name. */
function filteredAddresses(before: AnyResource, now: AnyResource): { address: string; why: string }[] {
  const listed = listOf(before).filters.filter((name) => listOf(now).filters.includes(name))
  return Object.entries(now.fields).flatMap(([name, field]) => {
    const was = before.fields[name]
    if (!was || was.type === 'secret' || traitsOf(was).compare === 'none') return []
    const page = listed.includes(name) ? routeOf(before) : `api/${now.name}`
    return filterChanges(name, was, field).map(({ value, why }) => ({ address: `/${page}?${name}=${value}`, why }))
  })
}

/** Fields and parts that bodies and answers have under another name, or no more; `place`: the paths around them. */
function travelChanges(before: Fields, now: Fields, place = { was: '', is: '' }): string[] {
  return Object.entries(before).flatMap(([name, field]) => {
    const present = presentName(now, name)
    const stands = Object.hasOwn(now, present) ? now[present] : undefined
    const [was, is] = [`${place.was}${name}`, `${place.is}${present}`]
    if (!stands) return [`"${was}" is gone from what travels`]
    const own = present === name ? [] : [`"${was}" is "${is}" now`]
    const isWhole = 'fields' in field && 'fields' in stands
    return [...own, ...(isWhole ? travelChanges(field.fields, stands.fields, { was: `${was}.`, is: `${is}.` }) : [])]
  })
}

/** Address of a field's downloads; one of several files ends with the id of the file. */
const downloadOf = (resource: AnyResource, name: string, { type }: Field) =>
  `/api/${pathOf(resource, 'show')}/${name}${type === 'files' ? '/{file}' : ''}`

/** Addresses of the downloads of files that stay. */
function downloadChanges(before: AnyResource, now: AnyResource): { address: string; why: string }[] {
  if (!pathOf(before, 'show') || !pathOf(now, 'show')) return []
  return Object.entries(before.fields).flatMap(([name, field]) => {
    const present = presentName(now.fields, name)
    const stands = now.fields[present]
    if (!holdsFiles(field) || !stands || !holdsFiles(stands)) return []
    const [was, is] = [downloadOf(before, name, field), downloadOf(now, present, stands)]
    return was === is ? [] : [{ address: was, why: `downloads are at ${is} now` }]
  })
}

/** Filters of a list that are called otherwise, or gone. */
const lostFilters = (before: AnyResource, now: AnyResource) =>
  listOf(before)
    .filters.filter((name) => !listOf(now).filters.includes(name))
    .map((name) => {
      const present = presentPath(now.fields, name)
      const isThere = listOf(now).filters.includes(present)
      return { name, why: isThere ? `the filter is "${present}" now` : 'the list has no such filter any more' }
    })

function changesOf(before: AnyResource, now: AnyResource): LinkChange[] {
  const [old, route] = [routeOf(before), routeOf(now)]
  const link = (address: string, why: string): LinkChange => ({ resource: now.name, address, why })
  return [
    ...(old === route ? [] : [link(`/${old}`, `the pages are at /${route} now`)]),
    ...(before.name === now.name ? [] : [link(`/api/${before.name}`, `the calls are at /api/${now.name} now`)]),
    ...lostFilters(before, now).map(({ name, why }) => link(`/${old}?${name}=…`, why)),
    ...filteredAddresses(before, now).map(({ address, why }) => link(address, why)),
    ...otherViews(before, now).map((name) => link(`/${old}`, `the view "${name}" shows other rows`)),
    ...missing(before.list?.views, now.list?.views).map((name) => link(`/${old}`, `the view "${name}" is gone`)),
    ...missing(before.tabs, now.tabs).map((name) => link(`/${old}/{id}/${name}`, 'the record has no such tab any more')),
    ...downloadChanges(before, now).map(({ address, why }) => link(address, why)),
    ...travelChanges(before.fields, now.fields).map((why) => link(`/api/${now.name}`, why)),
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
