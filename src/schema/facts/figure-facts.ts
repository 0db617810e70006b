import type { Role } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'

/** Filters of a list by address key: `status`, `createdAt_gte`. */
export type ListFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

export const figurePlaces = ['now', 'updates', 'tidy', 'spread'] as const
export const figureTones = ['info', 'warn', 'bad'] as const

/**
 * A dashboard figure. The server counts the rows of the list with `filters`, in which `$now` and `$today`, also with an offset
 * in days (`$now-7d`), are times; the console shows the count, linked to that list: to staff and service engineers in the card
 * `place`, to clients and installers above what else their dashboard has. A role sees figures of lists that it may open and
 * filter, and of those the rows of its `scope`.
 */
export type Figure<Path extends string = string> = {
  /** Card that contains it. */
  place: (typeof figurePlaces)[number]
  /** Filters of the counted rows; default: all that the viewer sees. */
  filters?: ListFilters
  /** Roles that get it, among those that may open the list; default: all of them. */
  roles?: readonly Role[]
} & (
  | {
      /** Label of the count. */
      label: Label
      /** Colour of a count above zero. */
      tone: (typeof figureTones)[number]
      by?: undefined
    }
  | FigureSplit<Path>
)

/** A figure split by the values of a field. */
type FigureSplit<Path extends string> = {
  /** Field that splits the count; it replaces `tone`. */
  by: Path
  /** Default: the labels of the list and the field. */
  label?: Label
  /** Includes choices without rows. */
  whole?: true
  /** Sorts the worst state first. */
  worstFirst?: true
  /** Resource whose field `match` holds the values, and whose status `field` gives each of them a state. */
  states?: { resource: string; match: string; field: string }
}
