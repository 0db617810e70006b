import type { Label } from '#schema/words.ts'
import type { figureTones, ListFilters } from './figure-facts.ts'

/** Groups of the menu with their headings, in its order. A list without a group stands below them. */
export const menuGroups = {
  people: ['People', 'Люди'],
  fleet: ['Fleet', 'Парк'],
  firmware: ['Firmware', 'Прошивки'],
  system: ['System', 'Система'],
} as const satisfies Record<string, Label>

export type MenuGroup = keyof typeof menuGroups

/** A live count beside the name in the menu: rows of the list with these filters, of those that the viewer sees. */
export type MenuCount = {
  /** Filters of the list, as its address has them; times also as `$now`, `$today` and their distance in days: `$today+30d`. */
  filters: ListFilters
  /** Colour of a count above zero. */
  tone: (typeof figureTones)[number]
  /** Words behind the number, read aloud. */
  label: Label
}
