import type { Label } from '#schema/words.ts'

export const keyWords = {
  rows: ['Rows', 'Строки'],
  actions: ['Actions on the row', 'Действия со строкой'],
  actionsOfMany: ['Actions on the row, or on the selected rows', 'Действия со строкой или с выбранными строками'],
  onPage: ['On this page', 'На этой странице'],
  everywhere: ['Everywhere', 'Везде'],
  next: ['Next row', 'Следующая строка'],
  previous: ['Previous row', 'Предыдущая строка'],
  open: ['Open the record', 'Открыть запись'],
  select: ['Select', 'Выбрать'],
  search: ['Search', 'Поиск'],
  palette: ['Page, record or command', 'Страница, запись или команда'],
  save: ['Save a form', 'Сохранить форму'],
  sheet: ['This list of keys', 'Этот список клавиш'],
  refused: ['“{action}” is not possible here', 'Здесь нельзя: «{action}»'],
  noRow: ['No row is selected', 'Строка не выбрана'],
  noRowText: ['The key j goes to the next row.', 'Клавиша j переходит к следующей строке.'],
} as const satisfies Record<string, Label>
