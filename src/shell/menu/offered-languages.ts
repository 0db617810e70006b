import { LANGUAGES, type Language } from '#schema/words.ts'

/** Selectable languages, the current one, and in development the pseudo-locale. */
export const offeredLanguages = (current: Language): readonly { code: Language; name: string }[] =>
  LANGUAGES.filter((row) => !('pseudo' in row) || row.code === current || import.meta.env.DEV)
