import type { Label } from '#schema/words.ts'

/** Texts of the parts of a record that are loaded after it: the sentence below its heading and its foot. */
export const lateWords = {
  version: ['Version {version}', 'Версия {version}'],
  createdAt: ['created {time}', 'создано {time}'],
  updatedAt: ['updated {time}', 'изменено {time}'],
  since: ['{state} since {time} ({ago}): ', '{state} с {time} ({ago}): '],
} as const satisfies Record<string, Label>
