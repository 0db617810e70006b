import type { Label } from '#schema/words.ts'

export const outlookWords = {
  incomplete: ['Fill in first: {names}', 'Сначала заполните: {names}'],
  faulty: ['Counted again once the values above are right.', 'Пересчитаем, когда значения выше будут верны.'],
  taken: ['{count} of {total} included', 'Войдёт {count} из {total}'],
  none: ['Nothing meets the conditions', 'Условиям ничего не соответствует'],
  unknown: [
    'Could not be counted. What you have filled in is kept, and can be saved.',
    'Не удалось посчитать. Заполненное не пропадёт, его можно сохранить.',
  ],
  again: ['Count again', 'Посчитать снова'],
  out: ['Left out', 'Не войдут'],
  known: ['Included, with remarks', 'Войдут, с замечаниями'],
  first: ['First', 'Первые'],
  empty: ['{name} left out because nothing falls to them: {count}', '{name} без записей, опущены: {count}'],
  more: ['and {count} more', 'и ещё {count}'],
} as const satisfies Record<string, Label>
