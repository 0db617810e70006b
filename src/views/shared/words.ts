import type { Label } from '#schema/words.ts'

/** Texts shared by several kinds of screens. Those of lists alone are in list-words.ts: a record does without them. */
export const viewWords = {
  create: ['Create', 'Создать'],
  createIn: ['Create: {name}', 'Создать: {name}'],
  edit: ['Edit', 'Изменить'],
  delete: ['Delete', 'Удалить'],
  cancel: ['Cancel', 'Отмена'],
  close: ['Close', 'Закрыть'],
  retry: ['Try again', 'Повторить'],
  more: ['More actions', 'Другие действия'],
  path: ['You are here', 'Вы здесь'],
  failedTitle: ['The data could not be loaded', 'Не удалось загрузить данные'],
  forbiddenTitle: ['No access', 'Нет доступа'],
  forbiddenText: ['Your role does not allow this page.', 'Ваша роль не даёт доступа к этой странице.'],
  notFoundTitle: ['Not found', 'Не найдено'],
  notFoundText: ['There is no such record, or it is not yours to see.', 'Такой записи нет, или она вам недоступна.'],
  history: ['History', 'История'],
  changes: ['Changes', 'Изменения'],
  moreChanges: ['{count} more', 'ещё {count}'],
  done: ['Done', 'Готово'],
} as const satisfies Record<string, Label>
