/** The two languages of the console. */
export const languages = ['en', 'ru'] as const
export type Language = (typeof languages)[number]

/** One text in both languages, in this order. A missing translation is a type error where it is missing. */
export type Label = readonly [en: string, ru: string]

/** The text of a label in a language. */
export const say = (label: Label, language: Language): string => (language === 'ru' ? label[1] : label[0])

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)
