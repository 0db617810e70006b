import type { Label } from '#schema/words.ts'

/** Texts of files in a record; lists do not load them. */
export const fileWords = {
  download: ['Download {name}', 'Скачать {name}'],
  downloadFailed: ['The download failed. Try again', 'Не удалось скачать. Попробуйте ещё раз'],
} as const satisfies Record<string, Label>
