import {
  baseOf,
  type Definitions,
  isRelated,
  isWritable,
  type RelatedTab,
  relationFilters,
  relationOf,
} from '#schema/definition.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { dependenciesOf } from '#schema/form/options.ts'
import { isMany } from '#schema/list-query.ts'
import { isAllowed, type Permissions, permissionsIn } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type RuleContext, valueAt } from '#schema/rule.ts'

/** A tab of related records, and the resource on whose records it stands. */
export type TabPlace = { parent: AnyResource; tab: RelatedTab }

/** The field of a tab's rows that points to the record. */
export type TabLink = { name: string; field: FieldOf<'reference'> | FieldOf<'references'> }

const isPointer = (field: Field | undefined): field is TabLink['field'] =>
  field?.type === 'reference' || field?.type === 'references'

const ownField = (target: AnyResource | undefined, name: string): Field | undefined =>
  target && Object.hasOwn(target.fields, name) ? target.fields[name] : undefined

/** Fields of a tab's rows that may point to the record. */
export function pointersOf(definitions: Definitions, { parent, tab }: TabPlace): string[] {
  const pointsHere = (field: Field) => {
    const to = isPointer(field) ? definitions.get(field.to) : undefined
    return to !== undefined && baseOf(to) === baseOf(parent)
  }
  return Object.entries(definitions.get(tab.resource)?.fields ?? {}).flatMap(([name, field]) => (pointsHere(field) ? name : []))
}

/** The one field by which a tab's rows belong to the record; undefined where none is, or several could be. */
export function linkOf(definitions: Definitions, place: TabPlace): TabLink | undefined {
  const { parent, tab } = place
  const target = definitions.get(tab.resource)
  const pointers = pointersOf(definitions, place)
  const named = tab.match
    ? Object.keys(tab.match).filter((name) => tab.match?.[name] === '$record.id' && pointers.includes(name))
    : pointers.filter((name) => Object.hasOwn(relationOf(parent, tab, target) ?? {}, name) && pointers.length === 1)
  const [name = '', ...others] = named
  const field = ownField(target, name)
  return isPointer(field) && others.length === 0 ? { name, field } : undefined
}

/** Fields by which the rows of a tab are found, each with the template of its value. */
const relationIn = (definitions: Definitions, { parent, tab }: TabPlace): Readonly<Record<string, string>> =>
  relationOf(parent, tab, definitions.get(tab.resource)) ?? {}

/**
 * Fields that a new row of a tab is given, each with the template of its value: the relation, and the fields on which the choices of its
 * reference depend. With `ess?ownerId={clientId}` a row of an ESS is one of its owner's.
 */
export function givenBy(definitions: Definitions, place: TabPlace, record: unknown): Readonly<Record<string, string>> {
  const target = definitions.get(place.tab.resource)
  const relation = relationIn(definitions, place)
  const options = Object.entries(relation).flatMap(([name, template]) => {
    const field = ownField(target, name)
    return template === '$record.id' && isPointer(field) && field.options ? [field.options] : []
  })
  const known = options
    .flatMap(dependenciesOf)
    .filter(({ parent, key }) => ownField(target, parent) !== undefined && (valueAt(record, key) ?? null) !== null)
  return { ...Object.fromEntries(known.map(({ parent, key }) => [parent, `$record.${key}`])), ...relation }
}

/** Facts of a tab by which rows come to the record and leave it, with the verb of the rows' resource that each needs. */
export const tabVerbs = { create: 'create', attach: 'edit', detach: 'edit' } as const
export type TabVerb = keyof typeof tabVerbs

/** Fields that the verb writes: all by which the rows are found, or the reference alone. */
function writtenBy(definitions: Definitions, place: TabPlace, verb: TabVerb): string[] {
  const link = linkOf(definitions, place)
  return verb === 'create' ? Object.keys(relationIn(definitions, place)) : link ? [link.name] : []
}

/** Fields that the verb would have to write and no form does. */
export function unwritableIn(definitions: Definitions, place: TabPlace, verb: TabVerb): string[] {
  const target = definitions.get(place.tab.resource)
  return writtenBy(definitions, place, verb).filter((name) => {
    const field = ownField(target, name)
    return !field || !isWritable(field, tabVerbs[verb])
  })
}

/** Fields beside the reference by which the rows are found: a record that is attached may have other values. */
export const besideLink = (definitions: Definitions, place: TabPlace): string[] =>
  Object.keys(relationIn(definitions, place)).filter((name) => name !== linkOf(definitions, place)?.name)

/** True for a reference that no record may be without. */
export const isHeld = ({ field }: TabLink): boolean => field.type === 'reference' && field.required === true && !field.when

function fits(definitions: Definitions, place: TabPlace, verb: TabVerb): boolean {
  const link = linkOf(definitions, place)
  if (!link) return false
  return verb === 'attach' ? besideLink(definitions, place).length === 0 : verb === 'create' || !isHeld(link)
}

/** True where the tab offers the verb to the viewer, who may use it on the rows and write every field that it writes. */
export function mayInTab(permissions: Permissions, definitions: Definitions, place: TabPlace, verb: TabVerb): boolean {
  const { resource, [verb]: isSaid } = place.tab
  if (!isSaid || !fits(definitions, place, verb) || !isAllowed(permissions, resource, tabVerbs[verb])) return false
  const { hidden, locked } = permissionsIn(permissions, resource)
  const closed = new Set([...hidden, ...locked, ...unwritableIn(definitions, place, verb)])
  return !writtenBy(definitions, place, verb).some((name) => closed.has(name))
}

/** The value of a reference that points to the record from now on, or no more; undefined where it does so already. */
export function linkedValue({ field }: TabLink, value: unknown, id: string, isLinked: boolean): unknown {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (ids.includes(id) === isLinked) return undefined
  if (field.type === 'reference') return isLinked ? id : null
  const others = Array.isArray(value) ? ids.filter((other) => other !== id) : []
  return isLinked ? [...others, id] : others
}

/** Values of a new row of the tab, so that it belongs to the record; undefined where no row can. */
export function newRowValues(
  definitions: Definitions,
  place: TabPlace,
  record: unknown,
  context: RuleContext,
): Record<string, unknown> | undefined {
  const target = definitions.get(place.tab.resource)
  const filters = relationFilters(givenBy(definitions, place, record), record, context)
  const wireValue = (name: string, values: readonly unknown[]) => {
    const field = ownField(target, name)
    return field && isMany(field) ? [...values] : values[0]
  }
  return filters && Object.fromEntries(filters.map(({ field, values }) => [field, wireValue(field, values)]))
}

/** The related tab of a resource by name. */
export function tabNamed(parent: AnyResource | undefined, name: string): RelatedTab | undefined {
  const tab: Tab | undefined = parent?.tabs && Object.hasOwn(parent.tabs, name) ? parent.tabs[name] : undefined
  return tab && isRelated(tab) ? tab : undefined
}
