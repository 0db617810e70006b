import type { Label } from '#schema/words.ts'

/** The words of a warning's page. */
export const warningWords = {
  guide: ['What it means', 'Что это значит'],
  causes: ['Likely causes', 'Вероятные причины'],
  checks: ['Check first', 'Что проверить сначала'],
  actions: ['Safe to do', 'Что можно безопасно сделать'],
  unknownTitle: ['Unknown code {code}', 'Неизвестный код {code}'],
  unknown: [
    'This console has no explanation of the code yet. What came with it stands below as it came.',
    'У консоли пока нет описания этого кода. Ниже показано то, что пришло вместе с ним.',
  ],
  measured: ['Measured', 'Измерено'],
  above: ['{size} above the threshold', 'выше порога на {size}'],
  below: ['{size} below the threshold', 'ниже порога на {size}'],
  at: ['at the threshold', 'на пороге'],
  noValue: ['An event without a measured value.', 'Событие без измеренного значения.'],
  times: ['Course', 'Хронология'],
  people: ['Who and where', 'Кто и где'],
  lasted: ['Lasted', 'Длилось'],
  lasting: ['Lasts for', 'Длится'],
  byItself: ['by itself', 'само'],
  chart: ['Telemetry around that moment', 'Телеметрия вокруг этого момента'],
  snapshot: ['Measured at that moment', 'Измерено в тот момент'],
  noSnapshot: [
    'The server found it by itself: no sample belongs to it.',
    'Сервер обнаружил это сам, измерение к нему не относится.',
  ],
  channel: ['Channel', 'Канал'],
  atThatTime: ['Then', 'Тогда'],
  now: ['Now', 'Сейчас'],
  comments: ['Comments', 'Комментарии'],
  noComments: ['Nobody has commented yet.', 'Комментариев пока нет.'],
  addComment: ['Add a comment', 'Добавить комментарий'],
  send: ['Add comment', 'Добавить'],
  package: ['Packet', 'Пакет'],
  place: ['module {module}, cell {cell}', 'модуль {module}, ячейка {cell}'],
} as const satisfies Record<string, Label>
