import { fieldOf, mayRead } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import type { ListFilters } from './figure-facts.ts'

type InboxTab<Path extends string> = {
  label: Label
  filters: ListFilters
  /** Text of the empty tab: the rows that stand there. */
  text?: Label
  /** Boolean field: viewers who may read it see only rows where it is true. */
  only?: Path
}

/** The work page of the console: rows grouped by a field, beside the selected record. One resource has it. */
export type Inbox<Path extends string = string> = {
  /** Filter sets, one of which is active. */
  tabs: Readonly<Record<string, InboxTab<Path>>>
  /** Initial tab. */
  start: string
  /** Fields to group by; the first is the default. */
  groups: readonly Path[]
}

type Asked = { inbox: Inbox; tab: string; role: Role }

/** Conditions of a tab for a role; none where the inbox has no such tab. */
export function inboxFilters(resource: AnyResource, { inbox, tab, role }: Asked): ListFilters {
  const { filters, only } = inbox.tabs[tab] ?? {}
  const field = only === undefined ? undefined : fieldOf(resource, only)
  return only !== undefined && field && mayRead(field, role) ? { ...filters, [only]: true } : { ...filters }
}
