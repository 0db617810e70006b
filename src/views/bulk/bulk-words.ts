import type { Label } from '#schema/words.ts'

/** The words of what is done with many records at once. */
export const bulkWords = {
  selected: ['Selected: {count}', 'Выбрано: {count}'],
  selectAll: ['Select all {count}', 'Выбрать все: {count}'],
  selectFirst: ['Select the first {count}', 'Выбрать первые {count}'],
  export: ['Export selected', 'Выгрузить выбранные'],
  unselect: ['Clear selection', 'Снять выделение'],
  running: ['Done: {done} of {count}', 'Готово: {done} из {count}'],
  bulkDone: ['{name}: results', '{name}: результаты'],
  bulkOk: ['Done', 'Готово'],
  failed: ['Failed', 'Ошибка'],
  bulkSkipped: ['Does not apply', 'Неприменимо'],
  bulkSum: ['Done: {done}, failed: {failed}, skipped: {skipped}', 'Готово: {done}, с ошибкой: {failed}, пропущено: {skipped}'],
  secrets: ['Save them now: they are not shown again.', 'Сохраните их сейчас: больше они не показываются.'],
  save: ['Save as CSV', 'Сохранить в CSV'],
  can: ['Can be done: {can} of {count}', 'Можно выполнить: {can} из {count}'],
  cannot: ['Cannot be done now: {count}', 'Сейчас нельзя: {count}'],
  typeCount: ['To confirm, type the number of records: {count}', 'Чтобы подтвердить, введите число записей: {count}'],
  ruledOut: ['Does not apply in the present state', 'Неприменимо в нынешнем состоянии'],
  among: ['{names} and {more} more', '{names} и ещё {more}'],
  unchecked: ['Checked when it is sent: more than {max} records', 'Проверяется при отправке: записей больше {max}'],
  record: ['Record', 'Запись'],
  result: ['Result', 'Результат'],
} as const satisfies Record<string, Label>
