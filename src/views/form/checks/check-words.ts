import type { Label } from '#schema/words.ts'

/** Texts of the checks that run before a form is sent. */
export const checkWords = {
  title: ['Checks', 'Проверки'],
  again: ['Check again', 'Проверить снова'],
  ok: ['Passed', 'Пройдено'],
  bad: ['Not passed', 'Не пройдено'],
  passed: ['Nothing stands in the way.', 'Препятствий нет.'],
  failed: [
    '{count, plural, one {# check} other {# checks}} not passed. The request would be refused.',
    'Не {count, plural, one {пройдена # проверка} few {пройдены # проверки} other {пройдено # проверок}}. Запрос будет отклонён.',
  ],
  overridable: [
    '{count, plural, one {# check} other {# checks}} not passed. Give a reason below to go ahead anyway.',
    'Не {count, plural, one {пройдена # проверка} few {пройдены # проверки} other {пройдено # проверок}}. Чтобы всё равно продолжить, укажите причину ниже.',
  ],
  unknown: ['The checks could not be run.', 'Не удалось выполнить проверки.'],
} as const satisfies Record<string, Label>
