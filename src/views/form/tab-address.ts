import { type Definitions, listOf } from '#schema/definition.ts'
import { type TabPlace, tabNamed } from '#schema/form/tab-links.ts'
import { screenParams } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { createPath, recordPath } from '#views/shared/paths.ts'

/** The tab of one record: its place, the id of the record, the name of the tab. */
export type RecordTab = TabPlace & { id: string; name: string }

/** Names the tab in the address of a form: `/ess/create?in=ess-model/018f…/ess`. */
export const tabParam = 'in'

/** Address of the form of a new row of a tab. */
export const createInPath = (target: AnyResource, { parent, id, name }: RecordTab): string =>
  `${createPath(target)}?${new URLSearchParams({ [tabParam]: [parent.name, id, name].join('/') })}`

/** The tab that an address names; undefined where there is none over records of this resource. */
export function tabIn(definitions: Definitions, target: AnyResource, address: string): RecordTab | undefined {
  const [resource = '', id = '', name = '', ...rest] = address.split('/')
  const parent = definitions.get(resource)
  const tab = tabNamed(parent, name)
  return parent && tab?.resource === target.name && id !== '' && rest.length === 0 ? { parent, tab, id, name } : undefined
}

/** Address of the tab with its newest rows first, so that a new one is in sight. */
export function newestPath(target: AnyResource, { parent, id, name }: RecordTab): string {
  const { sort, limit } = listOf(target)
  const newest = { field: 'createdAt', order: 'desc' } as const
  const state = { filters: [], sort: [newest], q: '', page: 1, limit }
  const query = screenParams(state, { sort: [sort], limit }).toString()
  return `${recordPath(parent, id, name)}${query && `?${query}`}`
}
