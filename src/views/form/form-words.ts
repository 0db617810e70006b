import type { Label } from '#schema/words.ts'

/** The words of forms, drafts and conflicts. */
export const formWords = {
  save: ['Save', 'Сохранить'],
  newRecord: ['New: {name}', 'Создание: {name}'],
  editRecord: ['Edit {title}', 'Изменение: {title}'],
  faultsTitle: [
    'Please correct {count, plural, one {# field} other {# fields}}',
    'Исправьте {count, plural, one {# поле} few {# поля} other {# полей}}',
  ],
  unsaved: ['Unsaved changes', 'Несохранённые изменения'],
  leaveTitle: ['Leave without saving?', 'Уйти без сохранения?'],
  leaveText: ['What you changed here will be lost.', 'Внесённые изменения пропадут.'],
  leave: ['Leave', 'Уйти'],
  stay: ['Stay', 'Остаться'],
  draftFound: ['There are unsaved changes from {time}.', 'Есть несохранённые изменения от {time}.'],
  restore: ['Restore', 'Восстановить'],
  discard: ['Discard', 'Отбросить'],
  staleTitle: ['Somebody else has changed this record', 'Запись уже изменена кем-то другим'],
  staleText: ['Choose a value for each field below and save again.', 'Выберите значение для каждого поля и сохраните ещё раз.'],
  staleClean: ['Your changes do not touch theirs: save again.', 'Ваши изменения не пересекаются с чужими: сохраните ещё раз.'],
  base: ['Before', 'Было'],
  mine: ['Yours', 'Ваше'],
  theirs: ['Theirs', 'Чужое'],
  takeChoice: ['Take the choice', 'Принять выбор'],
  saveChoice: ['Save the choice', 'Сохранить выбор'],
  nothingToEdit: ['There is nothing that you may change here.', 'Здесь нет полей, которые вы можете изменить.'],
  created: ['Created: {title}', 'Создано: {title}'],
  saved: ['Saved: {title}', 'Сохранено: {title}'],
  filled: ['The values of the list are filled in.', 'Значения из списка подставлены.'],
  kept: ['Not as in the list, left as they are: {fields}.', 'Отличаются от списка и оставлены как есть: {fields}.'],
  notTyped: ['Type {text} exactly', 'Введите в точности {text}'],
} as const satisfies Record<string, Label>
