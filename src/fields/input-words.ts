import type { Label } from '#schema/words.ts'

/** The words of inputs and filters that no definition supplies. */
export const inputWords = {
  from: ['From', 'От'],
  to: ['To', 'До'],
  since: ['Since', 'С'],
  until: ['Until', 'По'],
  contains: ['Contains', 'Содержит'],
  search: ['Search', 'Поиск'],
  noMatches: ['Nothing found', 'Ничего не найдено'],
  searchFailed: ['The search failed', 'Поиск не удался'],
  add: ['Add', 'Добавить'],
  remove: ['Remove', 'Убрать'],
  badJson: ['This is not valid JSON', 'Это не JSON'],
  fileTooBig: ['At most {max} are allowed', 'Допустимо не больше {max}'],
} as const satisfies Record<string, Label>
