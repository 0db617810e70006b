import type { Label } from '#schema/words.ts'
import type { figureTones, ListFilters } from './figure-facts.ts'

/** Menu groups with their headings, in order. A list without a group comes last. */
export const menuGroups = {
  people: ['People', 'Люди'],
  fleet: ['Fleet', 'Парк'],
  firmware: ['Firmware', 'Прошивки'],
  system: ['System', 'Система'],
} as const satisfies Record<string, Label>

export type MenuGroup = keyof typeof menuGroups

/** Place of a list in the menu. */
export type MenuPlace = {
  /** Heading under which the list stands. */
  group: MenuGroup
  /** Live count beside the name. */
  count?: MenuCount
  /** Filters with which the menu opens the list, like those of one of its views; without them it opens with all rows. */
  filters?: ListFilters
}

/** A live count in the menu: rows of the list with these filters that the viewer sees. */
export type MenuCount = {
  /** Filters of the list; times may be `$now`, `$today`, or an offset in days: `$today+30d`. */
  filters: ListFilters
  /** Colour of a count above zero. */
  tone: (typeof figureTones)[number]
  /** Text after the number, for screen readers. */
  label: Label
}
