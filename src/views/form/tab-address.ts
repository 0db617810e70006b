import { type Definitions, listOf } from '#schema/definition.ts'
import { type TabPlace, tabNamed } from '#schema/form/tab-links.ts'
import { screenParams } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { createPath, recordPath } from '#views/shared/paths.ts'

/** A tab of one record: its definition, the record's id and the tab's name. */
export type RecordTab = TabPlace & { id: string; name: string }

/** Names the tab in the address of a form: `/ess/create?in=ess-model/018f…/ess`. */
export const tabParam = 'in'

/** Address of the create form of a tab. */
export const createInPath = (target: AnyResource, { parent, id, name }: RecordTab): string =>
  `${createPath(target)}?${new URLSearchParams({ [tabParam]: [parent.name, id, name].join('/') })}`

/** The tab in an address; undefined where it does not list this resource. */
export function tabIn(definitions: Definitions, target: AnyResource, address: string): RecordTab | undefined {
  const [resource = '', id = '', name = '', ...rest] = address.split('/')
  const parent = definitions.get(resource)
  const tab = tabNamed(parent, name)
  return parent && tab?.resource === target.name && id !== '' && rest.length === 0 ? { parent, tab, id, name } : undefined
}

/** Address of the tab with its newest rows first, so that a new row is in view. */
export function newestPath(target: AnyResource, { parent, id, name }: RecordTab): string {
  const { sort, limit } = listOf(target)
  const newest = { field: 'createdAt', order: 'desc' } as const
  const state = { filters: [], sort: [newest], q: '', page: 1, limit }
  const query = screenParams(state, { sort: [sort], limit }).toString()
  return `${recordPath(parent, id, name)}${query && `?${query}`}`
}
