import type { Fields } from '#schema/field-types.ts'
import { windowFields, windowLine } from './week-window.ts'

/** When an update may begin, as whoever asks for it says. */
export const updateTimeFields = {
  scheduledAt: { type: 'dateTime', label: ['Scheduled for', 'Запланировано на'], immutable: true,
    help: ['Empty = as soon as possible', 'Пусто — как можно скорее'] },
  window: { type: 'group', label: ['Only within a window', 'Только в окно'], immutable: true, line: windowLine,
    fields: windowFields, help: ['By the clock of the site. Empty = at any time; what has begun goes on past its end',
      'По времени объекта. Пусто — в любое время; начатое продолжается и после конца окна'] },
} as const satisfies Fields

/** What keeps a request waiting: told while its board has not begun. */
export const updateWaitFields = {
  waitsFor: { type: 'group', label: ['Waits for its window', 'Ждёт своего окна'], derived: true, readOnly: true,
    line: `${windowLine}, {timezone}`,
    fields: { ...windowFields, timezone: { type: 'timezone', label: ['Time zone', 'Часовой пояс'] } } },
} as const satisfies Fields
