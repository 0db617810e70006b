import type { Fields } from '#schema/field-types.ts'

const days = {
  1: ['Mon', 'Пн'],
  2: ['Tue', 'Вт'],
  3: ['Wed', 'Ср'],
  4: ['Thu', 'Чт'],
  5: ['Fri', 'Пт'],
  6: ['Sat', 'Сб'],
  7: ['Sun', 'Вс'],
} as const
const clock = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

/** Part of a week, by the clock of the site; one that ends before it begins goes over midnight. */
export const windowFields = {
  days: { type: 'tags', label: ['Days', 'Дни'], required: true, runs: true, options: days },
  from: { type: 'text', label: ['From', 'С'], required: true, pattern: clock, help: ['Like 22:00', 'Например, 22:00'] },
  to:   { type: 'text', label: ['To', 'До'], required: true, pattern: clock, help: ['Like 05:30', 'Например, 05:30'] },
} as const satisfies Fields

/** One-line form of a window. */
export const windowLine = '{days} {from}–{to}'
