import type { Definitions } from '#schema/definition.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { historyOf, historyTab } from '#views/history/history-tab.ts'
import { indexTab } from '#views/shared/paths.ts'
import { recordWords } from './record-words.ts'

export type NamedTab = { name: string; tab: Tab }

export type TabViewer = { role: Role; permissions: Permissions; definitions: Definitions }

/** A tab below the record's own path needs no permission of its own; another resource's list does. */
function isOpen(tab: Tab, { role, permissions, definitions }: TabViewer): boolean {
  if (tab.roles && !tab.roles.includes(role)) return false
  if (!('resource' in tab)) return true
  return definitions.has(tab.resource) && (tab.from !== undefined || isAllowed(permissions, tab.resource, 'list'))
}

/**
 * The tabs of a record that the viewer may open, in definition order, then the history; the first is at the record's own path.
 */
export function recordTabs(resource: AnyResource, viewer: TabViewer): NamedTab[] {
  const tabs = Object.entries(resource.tabs ?? {}).map(([name, tab]) => ({ name, tab }))
  const own = tabs.find(({ name }) => name === indexTab)
  const all = Object.keys(resource.sections ?? { details: [] })
  const index: NamedTab = own ?? { name: indexTab, tab: { label: recordWords.details, sections: all } }
  const history = historyOf(resource, viewer.definitions, viewer.permissions)
  const last = history && !tabs.some(({ name }) => name === historyTab) ? [{ name: historyTab, tab: history }] : []
  return [index, ...tabs.filter(({ name }) => name !== indexTab), ...last].filter(({ tab }) => isOpen(tab, viewer))
}
