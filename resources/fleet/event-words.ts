import { type Label, type Language, say } from '#schema/words.ts'

/** Texts of update events by stable code; braces take the event's values. */
export const eventWords = {
  ATTEMPT: ['Attempt {attempt}', 'Попытка {attempt}'],
  AUTOMATIC: [
    'Automatic: newer firmware is released, and the board is set to update',
    'Автоматически: выпущена новая прошивка, а плата настроена обновляться',
  ],
  DUE: ['The requested time has come', 'Пришло назначенное время'],
  OVERDUE: ['The state lasted longer than it may', 'Состояние длилось дольше допустимого'],
  REPORTED: ['The board reports {failure}', 'Плата сообщает {failure}'],
  STARTED: ['The board has started', 'Плата запустилась'],
  CONFIRMED: [
    '{packets} valid packets report {version}, and nothing critical came up',
    'Версию {version} подтвердили пакеты ({packets}), аварий не было',
  ],
  OTHER_VERSION: ['The board reports {version} after its restart', 'После запуска плата сообщает версию {version}'],
  REVOKED: ['The firmware is revoked', 'Прошивка отозвана'],
  STOPPED: ['The rollout is stopped', 'Раскатка остановлена'],
} as const satisfies Record<string, Label>

export type EventCode = keyof typeof eventWords

export const isEventCode = (code: unknown): code is EventCode => typeof code === 'string' && Object.hasOwn(eventWords, code)

export type EventValues = Readonly<Record<string, string | number>>

/** An event in words; a value that is missing stays as its name. */
export const eventText = (code: EventCode, values: EventValues, language: Language): string =>
  say(eventWords[code], language, values)
