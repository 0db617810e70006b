import type { Label } from '#schema/words.ts'

export const recordWords = {
  details: ['Details', 'Сведения'],
  tabs: ['Parts of the record', 'Разделы записи'],
  version: ['Version {version}', 'Версия {version}'],
  createdAt: ['created {time}', 'создано {time}'],
  updatedAt: ['updated {time}', 'изменено {time}'],
  since: ['{state} since {time} ({ago}): ', '{state} с {time} ({ago}): '],
  toList: ['To the list', 'К списку'],
  noIdTitle: ['No ID provided', 'Не указан идентификатор'],
  noIdText: ['The address does not say which record to open.', 'В адресе не указано, какую запись открыть.'],
} as const satisfies Record<string, Label>
