import type { Label } from '#schema/words.ts'

export const inboxWords = {
  title: ['Inbox', 'Входящие'],
  tabs: ['Open work', 'Открытая работа'],
  groupBy: ['Grouped by: {field}', 'По полю: {field}'],
  groups: ['Grouping', 'Группировка'],
  selectGroup: ['Select the rows of', 'Выбрать строки:'],
  rows: ['Rows', 'Строки'],
  record: ['Record', 'Запись'],
  back: ['Back to the inbox', 'К входящим'],
  open: ['Open page', 'Открыть страницу'],
  onPage: ['on this page, and others may have more', 'на этой странице, на других могут быть ещё'],
  nothing: ['Nothing to do here', 'Здесь нет работы'],
  nothingFound: ['Nothing found', 'Ничего не найдено'],
  keys: ['Keys: j and k move, ? shows all', 'Клавиши: j и k — по строкам, ? — все клавиши'],
} as const satisfies Record<string, Label>
