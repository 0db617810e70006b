import { choiceLabel } from './facts/choices.ts'
import { isReference } from './facts/is-reference.ts'
import type { Tab } from './facts/tab-facts.ts'
import { type Comparison, type Field, type Fields, traitsOf } from './field-types.ts'
import {
  type Access,
  type Action,
  type AnyResource,
  type ListFacts,
  type Method,
  type Section,
  systemFields,
  type Verb,
} from './resource.ts'
import type { Role } from './roles.ts'
import { holds, type RuleContext, resolveValue } from './rule.ts'
import type { Label } from './words.ts'

/** All definitions by name, in menu order; shared by console and server. */
export type Definitions = ReadonlyMap<string, AnyResource>

export const definitionsOf = (resources: readonly AnyResource[]): Definitions =>
  new Map(resources.map((resource) => [resource.name, resource]))

/** Path of the console's pages: `/package-control`. */
export const routeOf = (resource: AnyResource): string => resource.route ?? resource.name

/** The definition's own fields and the system's, as one map. */
export const allFields = (resource: AnyResource): Fields => ({ ...resource.fields, ...systemFields })

/** The field at a path (`location.timezone` looks into the group); undefined when there is none. */
export function fieldAt(fields: Fields, path: string): Field | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0 || !field) return field
  return field.type === 'group' ? fieldAt(field.fields, rest.join('.')) : undefined
}

/** The field of a definition at a path (`location.timezone`), system fields among them; undefined when there is none. */
export const fieldOf = (resource: AnyResource, path: string): Field | undefined => fieldAt(allFields(resource), path)

/** Name of the title field: the declared one, else the first that names a record, else `id`. */
export function titleOf(resource: AnyResource): string {
  return resource.title ?? Object.entries(resource.fields).find(([, field]) => traitsOf(field).title)?.[0] ?? 'id'
}

/** The resource that owns the table: the base of a subset (a client is a user), else the resource itself. */
export const baseOf = ({ name, subset }: AnyResource): string => subset?.of ?? name

/** The same by the name of a resource; an unknown name is its own. */
export function baseNameOf(definitions: Definitions, name: string): string {
  const resource = definitions.get(name)
  return resource ? baseOf(resource) : name
}

/** True when the definition's rule for the record's state permits editing or deleting; roles are checked elsewhere. */
export function isOpenTo({ when }: AnyResource, verb: 'edit' | 'delete', record: unknown, context: RuleContext): boolean {
  const rule = when?.[verb]
  return !rule || holds(rule, record, context)
}

/** Fields embedded with a reference to this resource. */
export const summaryOf = (resource: AnyResource): readonly string[] => resource.summary ?? [titleOf(resource)]

/** Title of a record; a title that is a code, as of a warning, is shown as its label. */
export function titleLabel(resource: AnyResource | undefined, title: string): Label {
  const field = resource && fieldOf(resource, titleOf(resource))
  return field?.type === 'enum' ? choiceLabel(field, title) : [title, title]
}

/** Key of a reference's embedded summary: `ownerId` → `owner`, `createdBy` → `createdByRef`. */
export const summaryKey = (name: string): string => (name.endsWith('Id') ? name.slice(0, -2) : `${name}Ref`)

/**
 * True for a reference whose summary is embedded beside it. In a row of a list another part may have that name, such as the name of
 * a person as it was then.
 */
export const isSummaryEmbedded = (fields: Fields, name: string): boolean => !Object.hasOwn(fields, summaryKey(name))

/** Key in the answer of a single record: whether a secret has a value. */
export const isSetKey = (name: string): string => `${name}IsSet`

/** Readable parts of a journal entry. */
export const journalParts = ['action', 'kind', 'title', 'reason'] as const
export type JournalPart = (typeof journalParts)[number]

/** The journal part that a field holds; undefined for any other field. */
export const journalPartOf = ({ journal }: AnyResource, path: string): JournalPart | undefined =>
  journal && journalParts.find((part) => journal[part] === path)

/** Comparisons whose fields are filters by default. */
const filtered: ReadonlySet<Comparison> = new Set(['choice', 'boolean', 'reference', 'time'])

/** List facts with defaults applied. */
export function listOf(
  resource: AnyResource,
): Required<Pick<ListFacts, 'columns' | 'filters' | 'search' | 'sort' | 'limit'>> & ListFacts {
  const { fields } = resource
  const namesOf = (fits: (field: Field) => boolean | undefined) =>
    Object.keys(fields).filter((name) => fields[name] && fits(fields[name]))
  const marked = namesOf(({ search }) => search)
  const title = fields[titleOf(resource)]
  return {
    ...resource.list,
    columns: resource.list?.columns ?? namesOf((field) => !field.sortOnly && traitsOf(field).listed === 'default').slice(0, 8),
    filters: resource.list?.filters ?? namesOf((field) => filtered.has(traitsOf(field).compare)).slice(0, 6),
    search: resource.list?.search ?? (marked.length > 0 ? marked : title && traitsOf(title).search ? [titleOf(resource)] : []),
    sort: resource.list?.sort ?? { field: 'createdAt', order: 'desc' },
    limit: resource.list?.limit ?? 25,
  }
}

/** The tie-breaker of a `sortOnly` default order, as a sort that columns can show; empty for other lists. */
export function plainSort(resource: AnyResource): NonNullable<ListFacts['sort']>[] {
  const { ties } = fieldOf(resource, listOf(resource).sort.field)?.sortOnly ?? {}
  return ties ? [ties] : []
}

export type SectionFacts = Exclude<Section, readonly string[]> | { fields: readonly string[] }

/** Sections in order; a definition without sections has one with all fields. */
export function sectionsOf(resource: AnyResource): Record<string, SectionFacts> {
  const sections: Readonly<Record<string, Section>> = resource.sections ?? { details: Object.keys(resource.fields) }
  return Object.fromEntries(
    Object.entries(sections).map(([name, section]) => [name, 'fields' in section ? section : { fields: section }]),
  )
}

/** True for a field with an input. */
export const isWritable = (field: Field, action: 'create' | 'edit'): boolean =>
  field.readOnly !== true &&
  !field.derived &&
  !field.sortOnly &&
  field.type !== 'count' &&
  !(action === 'edit' && field.immutable)

const onlyAdmin: Access = { list: ['admin'], show: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] }

/** Roles with a permission. Without `access` only admins have it; with it, an absent verb is denied (`show` follows `list`). */
export function rolesFor(resource: AnyResource, verb: Verb): readonly Role[] {
  const access = resource.access ?? onlyAdmin
  return access[verb] ?? (verb === 'show' ? access.list : undefined) ?? []
}

/** Roles that may use an action: its own, else those who may edit. */
export const rolesForAction = (resource: AnyResource, action: Action): readonly Role[] =>
  action.roles ?? rolesFor(resource, 'edit')

/** True for a secret, and for a field that has one in its parts. */
export const holdsSecret = (field: Field | undefined): boolean =>
  field?.type === 'secret' || (!!field && 'fields' in field && Object.values(field.fields).some(holdsSecret))

/** Never answered: a secret, and rows of a list that have one. Of a group, the other parts are answered. */
export const isUnanswered = (field: Field): boolean => field.type === 'secret' || (field.type === 'list' && holdsSecret(field))

const may = (list: readonly Role[] | undefined, role: Role) => !list || list.includes(role)
/** Read permission of a role on a field. */
export const mayRead = (field: Field, role: Role): boolean => !field.sortOnly && may(field.access?.read, role)
/** True when a role may read every step of a path. */
export function mayReadPath(resource: AnyResource, role: Role, path: string): boolean {
  const steps = path.split('.')
  return steps.every((_, index) => {
    const field = fieldOf(resource, steps.slice(0, index + 1).join('.'))
    return !!field && !isUnanswered(field) && mayRead(field, role)
  })
}
/** Write permission of a role on a field; without reading there is no writing. */
export const mayWrite = (field: Field, role: Role): boolean => mayRead(field, role) && may(field.access?.write, role)

/** API path of a verb: `ess`, `ess/{id}`; undefined when the call does not exist. */
export function pathOf(resource: AnyResource, verb: Verb): string | undefined {
  const own = resource.api?.[verb === 'edit' ? 'update' : verb]
  if (own === false) return undefined
  const collection = baseOf(resource)
  return own ?? (verb === 'list' ? resource.name : verb === 'create' ? collection : `${collection}/{id}`)
}

/** Method and path of an action: `['PUT', 'ess/{id}/owner']`. */
export const callOf = (resource: AnyResource, name: string, action: Action): readonly [Method, string] =>
  action.call ?? [
    action.on === 'list' ? 'POST' : 'PUT',
    action.on === 'list' ? `${resource.name}/${name}` : `${baseOf(resource)}/{id}/${name}`,
  ]

/** The form field with the reason, which the journal records. */
export const reasonField = ({ reason }: Pick<Action, 'reason'>): string => reason ?? 'reason'

/** A tab with the records of another resource. */
export type RelatedTab = Extract<Tab, { resource: string }>
export const isRelated = (tab: Tab): tab is RelatedTab => 'resource' in tab

type Scalar = string | number | boolean
const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value) && value !== ''

/**
 * Filters of a related tab's rows. Values are compared literally. Undefined when a value is empty or not a single value: the
 * relation then has no rows, on both ends.
 */
export function relationFilters(
  relation: Readonly<Record<string, string>>,
  record: unknown,
  context: RuleContext,
): { field: string; op: 'eq'; values: [Scalar] }[] | undefined {
  const filters = Object.entries(relation).flatMap(([field, template]) => {
    const value = resolveValue(template, record, context)
    return isScalar(value) ? [{ field, op: 'eq' as const, values: [value] as [Scalar] }] : []
  })
  return filters.length > 0 && filters.length === Object.keys(relation).length ? filters : undefined
}

/** Source of a related tab's rows: a path, or matching fields. Undefined when the target does not reference this resource. */
export function relationOf(
  resource: AnyResource,
  tab: RelatedTab,
  target: AnyResource | undefined,
): Readonly<Record<string, string>> | undefined {
  if (tab.match) return tab.match
  const pointing = Object.entries(target?.fields ?? {}).filter(([, field]) => isReference(field) && field.to === resource.name)
  const [first] = pointing.toSorted(([, a], [, b]) => Number(a.type === 'references') - Number(b.type === 'references'))
  return first ? { [first[0]]: '$record.id' } : undefined
}
