import type { Label } from '#schema/words.ts'
import type { ListFilters } from './figure-facts.ts'

/** A page of work: its rows stand under the values of a field, beside the record of one of them. */
export type Inbox<Path extends string = string> = {
  /** Sets of filters, one of which is shown. */
  tabs: Readonly<Record<string, { label: Label; filters: ListFilters }>>
  /** Tab that it opens with. */
  start: string
  /** Fields that its rows are gathered by; the first at first. */
  groups: readonly Path[]
  /** Boolean field: who may read it sees only the rows where it is true. */
  only?: Path
}
