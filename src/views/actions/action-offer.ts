import type { Row } from '#fields/field-kind.ts'
import { baseOf, type Definitions, isOpenTo } from '#schema/definition.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { holds, type RuleContext, valueAt } from '#schema/rule.ts'

export type RunOptions = {
  values?: Readonly<Record<string, unknown>> | undefined
  /** The answer that filled the form. */
  from?: unknown
  /** One of many: no notification, nothing is asked for again; the caller does both at the end. */
  isPart?: boolean
}

/** An action that may be run now: of which resource, on which record, and on which row of a related list. */
export type ActionOffer = {
  resource: AnyResource
  name: string
  action: Action
  id?: string | undefined
  record?: Row | undefined
  row?: Row | undefined
  /** Instead of the call that the action names. */
  run?: (options: RunOptions) => Promise<unknown>
}

/** The viewer and the permission snapshot. */
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

/** True when a record may be edited or deleted as far as its own state goes; the role is asked elsewhere. */
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

/** Actions of a tab or the selection are not repeated in the record's head. */
function placedElsewhere(resource: AnyResource): ReadonlySet<string> {
  const ofTabs = Object.values(resource.tabs ?? {}).flatMap((tab) => ('sections' in tab ? [] : (tab.actions ?? [])))
  return new Set(ofTabs)
}

/** Actions of a record: in its head and its row menu. */
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

/** Actions of selected rows; `when` is evaluated for each row. */
export function bulkActions(resource: AnyResource, permissions: Permissions): { name: string; action: Action }[] {
  const named = new Set(resource.list?.bulk)
  return Object.entries(resource.actions ?? {})
    .filter(([name, action]) => (named.has(name) || action.on === 'bulk') && isAllowed(permissions, resource.name, name))
    .map(([name, action]) => ({ name, action }))
}

export type TabPlace = { parent: AnyResource; record: Row; target: AnyResource; names: readonly string[] }

/** Actions named by a related tab, for its head: the parent's own, else those of the listed resource. */
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

/** The same for one row of the tab: the parent's actions get the row beside their record. */
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

/** Every resource whose rows a change of this one may alter: the other views of its table, journals, and what the action names. */
export function touchedBy(definitions: Definitions, resource: AnyResource, refresh: readonly string[] = []): string[] {
  const table = baseOf(resource)
  const isTouched = ({ name, subset, journal }: AnyResource) => name === table || subset?.of === table || journal
  const twins = [...definitions.values()].filter(isTouched)
  return [...new Set([resource.name, ...twins.map(({ name }) => name), ...refresh])]
}

/** The text that must be typed before a dangerous action runs: a value of the record, for many `rows` their number. */
export function wordToType({ action, record, row }: ActionOffer, rows?: ReadonlyMap<string, Row>): string | undefined {
  const path = action.confirm?.typeToConfirm
  if (path !== undefined && rows) return String(rows.size)
  const value = path === undefined ? undefined : valueAt(row ?? record, path)
  return typeof value === 'string' ? value : undefined
}
