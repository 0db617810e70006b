import type { Label } from '#schema/words.ts'
import type { ListFilters } from './figure-facts.ts'

/** The work page of the console: rows grouped by a field, beside the selected record. One resource has it. */
export type Inbox<Path extends string = string> = {
  /** Filter sets, one of which is active; `text` says what stands there, for when nothing does. */
  tabs: Readonly<Record<string, { label: Label; filters: ListFilters; text?: Label }>>
  /** Initial tab. */
  start: string
  /** Fields to group by; the first is the default. */
  groups: readonly Path[]
  /** Boolean field: viewers who may read it see only rows where it is true. */
  only?: Path
}
