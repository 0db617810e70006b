import type { Label } from '#schema/words.ts'

/** Texts of inputs and filters that do not come from a definition. */
export const inputWords = {
  from: ['From', 'От'],
  to: ['To', 'До'],
  contains: ['Contains', 'Содержит'],
  search: ['Search', 'Поиск'],
  noMatches: ['Nothing found', 'Ничего не найдено'],
  searchFailed: ['The search failed', 'Поиск не удался'],
  add: ['Add', 'Добавить'],
  remove: ['Remove {name}', 'Убрать: {name}'],
  protective: ['protective', 'защита'],
  number: ['Use a number', 'Нужно число'],
  noQuantity: ['Use a number, in {unit}', 'Нужно число, в единицах: {unit}'],
  noDate: ['There is no such date', 'Такой даты нет'],
  zone: ['Time in {zone}', 'Время в поясе {zone}'],
  noTime: ['There is no such time', 'Такого времени нет'],
  noDuration: ['This is not a duration', 'Это не длительность'],
  duration: ['1 h 30 min', '1 ч 30 мин'],
  durationForm: ['Type it like 1 h 30 min, or in seconds', 'Введите, например, 1 ч 30 мин или секунды'],
  secretStays: [
    'A value is stored. Leave this empty to keep it',
    'Значение сохранено. Оставьте поле пустым, чтобы не менять его',
  ],
  secretChanges: ['The stored value will be replaced', 'Сохранённое значение будет заменено'],
  secretGoes: ['The stored value will be removed', 'Сохранённое значение будет удалено'],
  secretRemove: ['Remove the value', 'Удалить значение'],
  secretKeep: ['Keep the value', 'Оставить значение'],
  badJson: ['This is not valid JSON', 'Это не JSON'],
  fileTooBig: ['At most {max} are allowed', 'Допустимо не больше {max}'],
  fileSending: ['Sending {name}: {percent}%', 'Отправка {name}: {percent}%'],
  fileUnsent: ['A file is still being sent. Wait a moment, then save', 'Файл ещё отправляется. Подождите и сохраните'],
  fileStop: ['Stop sending', 'Остановить отправку'],
  uploadFailed: ['The file could not be sent', 'Не удалось отправить файл'],
  fileRetry: ['Send again', 'Отправить ещё раз'],
  fileRemove: ['Remove {name}', 'Убрать {name}'],
  filesTaken: [
    'All {max} files are there. Remove one to choose another',
    'Добавлены все файлы ({max}). Чтобы выбрать другой, уберите один',
  ],
} as const satisfies Record<string, Label>

export const periodWords = {
  today: ['Today', 'Сегодня'],
  yesterday: ['Yesterday', 'Вчера'],
  week: ['7 days', '7 дней'],
  days30: ['30 days', '30 дней'],
  month: ['This month', 'Этот месяц'],
  from: ['Since', 'С'],
  to: ['Until||included', 'По'],
  notADate: ['This is not a date', 'Это не дата'],
} as const satisfies Record<string, Label>
