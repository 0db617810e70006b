import {
  baseOf,
  type Definitions,
  isRelated,
  isWritable,
  type RelatedTab,
  relationFilters,
  relationOf,
} from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { dependenciesOf } from '#schema/form/options.ts'
import { isMany } from '#schema/list-query.ts'
import { isAllowed, type Permissions, permissionsIn } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type RuleContext, valueAt } from '#schema/rule.ts'

/** A related tab and the resource it belongs to. */
export type TabPlace = { parent: AnyResource; tab: RelatedTab }

/** The field of a tab's rows that references the record. */
export type TabLink = { name: string; field: FieldOf<'reference'> | FieldOf<'references'> }

const ownField = (target: AnyResource | undefined, name: string): Field | undefined =>
  target && Object.hasOwn(target.fields, name) ? target.fields[name] : undefined

/** Fields of a tab's rows that can reference the record. */
export function pointersOf(definitions: Definitions, { parent, tab }: TabPlace): string[] {
  const pointsHere = (field: Field) => {
    const to = isReference(field) ? definitions.get(field.to) : undefined
    return to !== undefined && baseOf(to) === baseOf(parent)
  }
  return Object.entries(definitions.get(tab.resource)?.fields ?? {}).flatMap(([name, field]) => (pointsHere(field) ? name : []))
}

/** The one field that links a tab's rows to the record; undefined when there is none or several. */
export function linkOf(definitions: Definitions, place: TabPlace): TabLink | undefined {
  const { parent, tab } = place
  const target = definitions.get(tab.resource)
  const pointers = pointersOf(definitions, place)
  const named = tab.match
    ? Object.keys(tab.match).filter((name) => tab.match?.[name] === '$record.id' && pointers.includes(name))
    : pointers.filter((name) => Object.hasOwn(relationOf(parent, tab, target) ?? {}, name) && pointers.length === 1)
  const [name = '', ...others] = named
  const field = ownField(target, name)
  return isReference(field) && others.length === 0 ? { name, field } : undefined
}

/** Fields that select the rows of a tab, with their value templates. */
const relationIn = (definitions: Definitions, { parent, tab }: TabPlace): Readonly<Record<string, string>> =>
  relationOf(parent, tab, definitions.get(tab.resource)) ?? {}

/**
 * Fields given to a new row of a tab, with their value templates: the relation, and the fields on which the reference's options
 * depend. With `ess?ownerId={clientId}` a row of an ESS belongs to its owner.
 */
export function givenBy(definitions: Definitions, place: TabPlace, record: unknown): Readonly<Record<string, string>> {
  const target = definitions.get(place.tab.resource)
  const relation = relationIn(definitions, place)
  const options = Object.entries(relation).flatMap(([name, template]) => {
    const field = ownField(target, name)
    return template === '$record.id' && isReference(field) && field.options ? [field.options] : []
  })
  const known = options
    .flatMap(dependenciesOf)
    .filter(({ parent, key }) => ownField(target, parent) !== undefined && (valueAt(record, key) ?? null) !== null)
  return { ...Object.fromEntries(known.map(({ parent, key }) => [parent, `$record.${key}`])), ...relation }
}

/** Tab verbs and the permission that each needs on the rows' resource. */
export const tabVerbs = { create: 'create', attach: 'edit', detach: 'edit' } as const
export type TabVerb = keyof typeof tabVerbs

/** Fields that a verb writes: on create the whole relation, else the reference alone. */
function writtenBy(definitions: Definitions, place: TabPlace, verb: TabVerb): string[] {
  const link = linkOf(definitions, place)
  return verb === 'create' ? Object.keys(relationIn(definitions, place)) : link ? [link.name] : []
}

/** Fields that the verb must write although no form may. */
export function unwritableIn(definitions: Definitions, place: TabPlace, verb: TabVerb): string[] {
  const target = definitions.get(place.tab.resource)
  return writtenBy(definitions, place, verb).filter((name) => {
    const field = ownField(target, name)
    return !field || !isWritable(field, tabVerbs[verb])
  })
}

/** Relation fields other than the reference: they can exclude an attached record from the tab. */
export const besideLink = (definitions: Definitions, place: TabPlace): string[] =>
  Object.keys(relationIn(definitions, place)).filter((name) => name !== linkOf(definitions, place)?.name)

/** True for a reference that must not be empty. */
export const isRequiredLink = ({ field }: TabLink): boolean =>
  field.type === 'reference' && field.required === true && !field.when

function fits(definitions: Definitions, place: TabPlace, verb: TabVerb): boolean {
  const link = linkOf(definitions, place)
  if (!link) return false
  return verb === 'attach' ? besideLink(definitions, place).length === 0 : verb === 'create' || !isRequiredLink(link)
}

/** True when the tab offers the verb and the viewer may use it and write all of its fields. */
export function mayInTab(permissions: Permissions, definitions: Definitions, place: TabPlace, verb: TabVerb): boolean {
  const { resource, [verb]: isSaid } = place.tab
  if (!isSaid || !fits(definitions, place, verb) || !isAllowed(permissions, resource, tabVerbs[verb])) return false
  const { hidden, locked } = permissionsIn(permissions, resource)
  const closed = new Set([...hidden, ...locked, ...unwritableIn(definitions, place, verb)])
  return !writtenBy(definitions, place, verb).some((name) => closed.has(name))
}

/** New value of a reference after attach or detach; undefined when nothing changes. */
export function linkedValue({ field }: TabLink, value: unknown, id: string, isLinked: boolean): unknown {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (ids.includes(id) === isLinked) return undefined
  if (field.type === 'reference') return isLinked ? id : null
  const others = Array.isArray(value) ? ids.filter((other) => other !== id) : []
  return isLinked ? [...others, id] : others
}

/** Initial values of a new row of the tab; undefined when no row can belong to the record. */
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

export function tabNamed(parent: AnyResource | undefined, name: string): RelatedTab | undefined {
  const tab: Tab | undefined = parent?.tabs && Object.hasOwn(parent.tabs, name) ? parent.tabs[name] : undefined
  return tab && isRelated(tab) ? tab : undefined
}
