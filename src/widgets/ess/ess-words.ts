import type { Label } from '#schema/words.ts'

export const essWords = {
  overview: ['Overview', 'Обзор'],
  show: ['Show the overview', 'Показать обзор'],
  hide: ['Hide the overview', 'Скрыть обзор'],
  warnings: ['Open warnings', 'Открытые предупреждения'],
  none: ['none', 'нет'],
  mode: ['Mode', 'Режим'],
  maintenance: ['Maintenance until {time}', 'Обслуживание до {time}'],
  warranty: ['Warranty', 'Гарантия'],
  warrantyUntil: ['until {day}', 'до {day}'],
  warrantyOver: ['ended {day}', 'истекла {day}'],
  noBoard: ['No board measures here: attach one.', 'Здесь нет измеряющей платы: подключите её.'],
  noSample: ['The main board has no current values.', 'У главной платы нет текущих значений.'],
  failed: ['The newest values could not be read.', 'Не удалось прочитать последние значения.'],
} as const satisfies Record<string, Label>
