import type { Label } from '#schema/words.ts'

/** The words of an update's page. */
export const updateWords = {
  course: ['Course', 'Ход обновления'],
  steps: ['Steps of the update', 'Шаги обновления'],
  done: ['done', 'пройдено'],
  now: ['now', 'сейчас'],
  ahead: ['to come', 'впереди'],
  broken: ['ended here', 'здесь остановлено'],
  about: ['Request', 'Запрос'],
  timeline: ['Events', 'События'],
  ofBytes: ['{sent} of {all}', '{sent} из {all}'],
  attempt: ['Attempt', 'Попытка'],
  attemptOf: ['{attempt} of {most}', '{attempt} из {most}'],
  deadline: ['Deadline of this step', 'Срок этого шага'],
  left: ['{time} · {left}', '{time} · {left}'],
  passed: ['{time} · passed', '{time} · истёк'],
  waits: ['Waits for its window: {window}.', 'Ждёт своего окна: {window}.'],
  opens: ['By your clock it opens {time} ({left}).', 'По вашим часам откроется {time} ({left}).'],
  open: [
    'Its window is open: {window}. The board begins when it is next in touch.',
    'Окно открыто: {window}. Плата начнёт при следующей связи.',
  ],
  within: ['Begins only within its window: {window}.', 'Начнётся только в своё окно: {window}.'],
  again: ['Tried again as', 'Повторено как'],
  againOf: ['Attempt {attempt}: {state}', 'Попытка {attempt}: {state}'],
  whatToDo: ['What to do', 'Что делать'],
  begun: ['Requested', 'Запрошено'],
  waited: ['after {span}', 'через {span}'],
  noEvents: ['Nothing has happened yet.', 'Событий ещё нет.'],
} as const satisfies Record<string, Label>
