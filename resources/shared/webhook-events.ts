import type { Label } from '#schema/words.ts'

/** Kinds of events that a webhook may choose, in the order of its form; the key is the `type` of the message. */
export const webhookEvents = {
  'warning.raised':           ['Warning raised', 'Предупреждение возникло'],
  'warning.severity-changed': ['Severity of a warning changed', 'Изменилась важность предупреждения'],
  'warning.acknowledged':     ['Warning acknowledged', 'Предупреждение подтверждено'],
  'warning.escalated':        ['Warning escalated', 'Предупреждение эскалировано'],
  'warning.cleared':          ['Warning cleared', 'Предупреждение прошло'],
  'update.failed':            ['Firmware update failed', 'Обновление прошивки не удалось'],
  'record.created':           ['Record created by a person', 'Запись создана пользователем'],
  'record.updated':           ['Record changed by a person', 'Запись изменена пользователем'],
  'record.deleted':           ['Record deleted by a person', 'Запись удалена пользователем'],
} as const satisfies Record<string, Label>

/** Sent by the action of the same purpose and chosen by nobody. */
export const testEvent = 'webhook.test'

export const deliveredEvents = {
  ...webhookEvents,
  [testEvent]: ['Test', 'Проверка'],
} as const satisfies Record<string, Label>

export type WebhookEventType = keyof typeof webhookEvents
