import type { Label } from '#schema/words.ts'

/** The words of displays, inputs and filters that no definition supplies. */
export const fieldWords = {
  none: ['No value', 'Нет значения'],
  yes: ['Yes', 'Да'],
  no: ['No', 'Нет'],
  any: ['Any', 'Любое'],
  empty: ['Empty', 'Не заполнено'],
  filled: ['Filled', 'Заполнено'],
  from: ['From', 'От'],
  to: ['To', 'До'],
  since: ['Since', 'С'],
  until: ['Until', 'По'],
  contains: ['Contains', 'Содержит'],
  not: ['not', 'не'],
  search: ['Search', 'Поиск'],
  noMatches: ['Nothing found', 'Ничего не найдено'],
  searchFailed: ['The search failed', 'Поиск не удался'],
  loading: ['Loading…', 'Загрузка…'],
  items: ['Items: {count}', 'Элементов: {count}'],
  add: ['Add', 'Добавить'],
  remove: ['Remove', 'Убрать'],
  copy: ['Copy', 'Скопировать'],
  badJson: ['This is not valid JSON', 'Это не JSON'],
  chooseFile: ['Choose a file', 'Выберите файл'],
  fileTooBig: ['At most {max} are allowed', 'Допустимо не больше {max}'],
  unset: ['Not set', 'Не задано'],
  inZone: ['Time zone: {zone}', 'Часовой пояс: {zone}'],
} as const satisfies Record<string, Label>

/** Puts values into a word: `fill('Items: {count}', { count: 3 })`. */
export const fill = (text: string, params: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (mark, key: string) => String(params[key] ?? mark))
