import type { Label } from '#schema/words.ts'

/** Filters of a list by address key: `status`, `createdAt_gte`. */
export type ListFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

export const figurePlaces = ['now', 'updates', 'tidy', 'spread'] as const
export const figureTones = ['info', 'warn', 'bad'] as const

/**
 * A figure of the dashboard of staff and service engineers. The server counts the rows of the list with `filters`, where `$now` and
 * `$today`, also with days before or after them (`$now-7d`), are times; the console shows the count in the card `place`, linked to
 * that list. A role sees the figures of lists that it may open and filter.
 */
export type Figure<Path extends string = string> = {
  /** Card that shows it. */
  place: (typeof figurePlaces)[number]
  /** Rows that are counted; without it all that the viewer sees. */
  filters?: ListFilters
} & (
  | {
      /** Words beside the count. */
      label: Label
      /** Colour of a count above zero. */
      tone: (typeof figureTones)[number]
      by?: undefined
    }
  | FigureSplit<Path>
)

/** A figure split by the values of a field. */
type FigureSplit<Path extends string> = {
  /** Field whose values split the count; then there is no `tone`. */
  by: Path
  /** Default: the labels of the list and the field. */
  label?: Label
  /** Choices without rows are shown, too. */
  whole?: true
  /** The worst state stands first. */
  worstFirst?: true
  /** The resource whose field `match` holds the values, and its field that gives each of them a state. */
  states?: { resource: string; match: string; field: string }
}
