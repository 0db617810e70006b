import type { Label } from '#schema/words.ts'

export const listWords = {
  inTotal: ['in total', 'всего'],
  searchIn: ['Search: {fields}', 'Поиск: {fields}'],
  filters: ['Filters', 'Фильтры'],
  moreFilters: ['More filters', 'Ещё фильтры'],
  clearFilters: ['Clear filters', 'Сбросить фильтры'],
  backToOrder: ['Back to the order “{order}”', 'Вернуть порядок «{order}»'],
  order: ['Order', 'Порядок'],
  view: ['View', 'Вид'],
  views: ['Saved views', 'Готовые виды'],
  all: ['All', 'Все'],
  dropped: ['Not understood in the address and ignored: {names}', 'Не удалось понять в адресе, пропущено: {names}'],
  emptyTitle: ['Nothing here yet', 'Пока ничего нет'],
  emptyText: ['Records appear here once they are created.', 'Здесь появятся записи, когда их создадут.'],
  noMatchTitle: ['Nothing matches', 'Ничего не найдено'],
  noMatchText: ['No record fits the search and the filters.', 'Ни одна запись не подходит под поиск и фильтры.'],
  beyondTitle: ['There is no such page', 'Такой страницы нет'],
  firstPage: ['To the first page', 'К первой странице'],
  export: ['Export', 'Выгрузить'],
  import: ['Import', 'Загрузить'],
} as const satisfies Record<string, Label>
