import type { Label } from '#schema/words.ts'

/** For how long packets may be captured, in minutes: a day at most. */
export const captureSpans = { 15: ['15 minutes', '15 минут'], 60: ['1 hour', '1 час'], 240: ['4 hours', '4 часа'],
  720: ['12 hours', '12 часов'], 1440: ['24 hours', '24 часа'] } as const satisfies Record<string, Label>

/** What is kept meanwhile that is not kept else. */
export const captureHelp = ['Until then packets are kept whole, beyond 2 KiB too, and those sent again. It ends by itself.',
  'До этого времени пакеты хранятся целиком, и длиннее 2 КиБ, и повторно присланные. Завершится само.'] as const satisfies Label
