import type { Label } from '#schema/words.ts'

export const recordWords = {
  details: ['Details', 'Сведения'],
  tabs: ['Parts of the record', 'Разделы записи'],
  toList: ['To the list', 'К списку'],
  noIdTitle: ['No ID provided', 'Не указан идентификатор'],
  noIdText: ['The address does not say which record to open.', 'В адресе не указано, какую запись открыть.'],
} as const satisfies Record<string, Label>
