import type { Row } from '#fields/field-kind.ts'
import { baseOf, type Definitions, isOpenTo } from '#schema/definition.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { holds, type RuleContext, valueAt } from '#schema/rule.ts'

export type RunOptions = {
  values?: Readonly<Record<string, unknown>> | undefined
  /** The answer that filled the form, for `$from` templates. */
  from?: unknown
  /** One call of a bulk run: the caller notifies and invalidates once at the end. */
  isPart?: boolean
}

/** An action that can run now, with its resource, record, and row of a related list. */
export type ActionOffer = {
  resource: AnyResource
  name: string
  action: Action
  id?: string | undefined
  record?: Row | undefined
  row?: Row | undefined
  /** Deletes the record: the dialog knows what to say. */
  isDeletion?: true
  /** Replaces the action's own call. */
  run?: (options: RunOptions) => Promise<unknown>
}

export type ActionContext = { permissions: Permissions; context: RuleContext }

const idOf = (record: Row | undefined): string | undefined => (record?.id === undefined ? undefined : String(record.id))

/** Target id of an action: the record's, or that of the record it acts through. */
function subjectOf({ through }: Action, record: Row): string | undefined {
  const id = through === undefined ? record.id : record[through]
  return id === undefined || id === null ? undefined : String(id)
}

/** True when the record's flag forbids the action. */
export const isNotPermitted = ({ permit = '' }: Pick<Action, 'permit'>, record: Row | undefined): boolean =>
  record?.[permit] === false

/** True when the record's state permits editing or deleting; the role is checked elsewhere. */
export const isChangeable = (resource: AnyResource, verb: 'edit' | 'delete', record: Row, context: RuleContext): boolean =>
  !isNotPermitted(resource, record) && isOpenTo(resource, verb, record, context)

/** True when an action is permitted and fits the record, or the row of a tab. */
function fits(offer: ActionOffer, { permissions, context }: ActionContext): boolean {
  if (!isAllowed(permissions, offer.resource.name, offer.name)) return false
  if (isNotPermitted(offer.action, offer.record)) return false
  const { when } = offer.action
  return !when || holds(when, offer.row ?? offer.record ?? {}, context)
}

const onRecord = (action: Action) => action.on === undefined || action.on === 'record'

/** Actions that a tab or the bulk bar shows are not repeated in the record's header. */
function placedElsewhere(resource: AnyResource): ReadonlySet<string> {
  const ofTabs = Object.values(resource.tabs ?? {}).flatMap((tab) => ('sections' in tab ? [] : (tab.actions ?? [])))
  return new Set(ofTabs)
}

/** Actions of a record, for its header and row menu. */
export function recordOffers(resource: AnyResource, record: Row, viewer: ActionContext): ActionOffer[] {
  const elsewhere = placedElsewhere(resource)
  return Object.entries(resource.actions ?? {})
    .filter(([name, action]) => onRecord(action) && !elsewhere.has(name))
    .map(([name, action]) => ({ resource, name, action, id: subjectOf(action, record), record }))
    .filter((offer) => fits(offer, viewer))
}

/** Actions of the whole list. */
export function listOffers(resource: AnyResource, viewer: ActionContext): ActionOffer[] {
  return Object.entries(resource.actions ?? {})
    .filter(([, action]) => action.on === 'list')
    .map(([name, action]) => ({ resource, name, action }))
    .filter((offer) => fits(offer, viewer))
}

/** Actions of selected rows; `when` is evaluated per row. */
export function bulkActions(resource: AnyResource, permissions: Permissions): { name: string; action: Action }[] {
  const named = new Set(resource.list?.bulk)
  return Object.entries(resource.actions ?? {})
    .filter(([name, action]) => (named.has(name) || action.on === 'bulk') && isAllowed(permissions, resource.name, name))
    .map(([name, action]) => ({ name, action }))
}

export type TabPlace = { parent: AnyResource; record: Row; target: AnyResource; names: readonly string[] }

/** Actions named by a related tab, for its header: the parent's own, else those of the listed resource. */
export function tabOffers({ parent, record, target, names }: TabPlace, viewer: ActionContext): ActionOffer[] {
  return names
    .flatMap((name): ActionOffer[] => {
      const own = parent.actions?.[name]
      const theirs = target.actions?.[name]
      if (own) return [{ resource: parent, name, action: own, id: idOf(record), record }]
      return theirs ? [{ resource: target, name, action: theirs, record }] : []
    })
    .filter((offer) => fits(offer, viewer))
}

/** As tabOffers, for one row of the tab: the parent's actions get the row as well. */
export function rowOffers({ parent, record, target, names }: TabPlace, row: Row, viewer: ActionContext): ActionOffer[] {
  return names
    .flatMap((name): ActionOffer[] => {
      const own = parent.actions?.[name]
      const theirs = target.actions?.[name]
      if (own) return [{ resource: parent, name, action: own, id: idOf(record), record, row }]
      return theirs ? [{ resource: target, name, action: theirs, id: subjectOf(theirs, row), record: row }] : []
    })
    .filter((offer) => fits(offer, viewer))
}

/**
 * Resources to invalidate after a change of this one: definitions over the same table, journals, and the action's `refresh`.
 */
export function touchedBy(definitions: Definitions, resource: AnyResource, refresh: readonly string[] = []): string[] {
  const table = baseOf(resource)
  const isTouched = ({ name, subset, journal }: AnyResource) => name === table || subset?.of === table || journal
  const touched = [...definitions.values()].filter(isTouched)
  return [...new Set([resource.name, ...touched.map(({ name }) => name), ...refresh])]
}

/** The text to type before a dangerous action runs: a value of the record, or for many `rows` their number. */
export function wordToType({ action, record, row }: ActionOffer, count?: number): string | undefined {
  const path = action.confirm?.typeToConfirm
  if (path !== undefined && count !== undefined) return String(count)
  const value = path === undefined ? undefined : valueAt(row ?? record, path)
  return typeof value === 'string' ? value : undefined
}
