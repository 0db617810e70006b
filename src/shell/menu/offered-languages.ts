import { LANGUAGES, type Language } from '#schema/words.ts'

/** The languages of a choice: those of people, the one on screen, and while developing the pseudo-locale. */
export const offeredLanguages = (current: Language): readonly { code: Language; name: string }[] =>
  LANGUAGES.filter((row) => !('pseudo' in row) || row.code === current || import.meta.env.DEV)
