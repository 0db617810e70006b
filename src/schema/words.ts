import { formatMessage, type MessageValues } from './format/message.ts'

type LanguageRow = {
  /** As in `Accept-Language`, the profile and the name of the file of messages. */
  code: string
  /** The BCP 47 locale of numbers and dates. */
  intl: string
  direction: 'ltr' | 'rtl'
  /** The files of its texts and calendar in `antd/es/locale` and `dayjs/locale`. */
  antd: string
  dayjs: string
  /** In the language itself. */
  name: string
  /** Its texts are part of the labels. */
  inline?: true
  /** Generated for development and tests; no profile may name it. */
  pseudo?: true
}

/**
 * The languages of console and server. Labels hold the texts of the inline ones, in this order. Each further language is one row
 * here and one file of messages, which `npm run words -- CODE` makes.
 */
export const LANGUAGES = [
  { code: 'en', intl: 'en-GB', direction: 'ltr', antd: 'en_GB', dayjs: 'en-gb', name: 'English', inline: true },
  { code: 'ru', intl: 'ru-RU', direction: 'ltr', antd: 'ru_RU', dayjs: 'ru', name: 'Русский', inline: true },
  // Dates in Greek letters: one that is written in English is seen.
  { code: 'en-XA', intl: 'el-GR', direction: 'ltr', antd: 'el_GR', dayjs: 'el', name: '[Ƥšéûðö]', pseudo: true },
] as const satisfies readonly LanguageRow[]

export type Language = (typeof LANGUAGES)[number]['code']

/** The language of the keys, and what is shown where a translation is missing. */
export const sourceLanguage = 'en' satisfies Language

const placed = LANGUAGES.map((row: LanguageRow, place) => ({ ...row, place }))
const rows = new Map(placed.map((row) => [row.code, row]))

type Row = (typeof LANGUAGES)[number]
type InlineRow = Extract<Row, { inline: true }>
export type InlineLanguage = InlineRow['code']

const isInlineRow = (row: Row): row is InlineRow => 'inline' in row

/** The languages that people may choose. */
export const languages: readonly Language[] = LANGUAGES.filter((row) => !('pseudo' in row)).map(({ code }) => code)

/** Languages whose texts are in the labels. @public: the build cuts their words */
export const inlineLanguages: readonly InlineLanguage[] = LANGUAGES.filter(isInlineRow).map(({ code }) => code)

/** A language whose texts are part of the labels needs no messages. */
export const isInline = (language: Language): language is InlineLanguage => languageRow(language).inline === true

export const isLanguage = (value: unknown): value is Language => typeof value === 'string' && rows.has(value)

/** The row of a language with its place in the table. */
export function languageRow(language: Language): LanguageRow & { place: number } {
  const row = rows.get(language)
  if (!row) throw new Error(`LANGUAGES has no row "${language}"`)
  return row
}

/** The locale that numbers and dates of a language are written in. */
export const intlOf = (language: Language): string => languageRow(language).intl

/**
 * One text in the inline languages; a missing translation is a type error where it is missing. A composed label has a text for
 * every row of the table.
 */
export type Label = readonly [en: string, ru: string, ...further: string[]]

/** The messages of a further language by their English text. */
export type Messages = Readonly<Record<string, string>>

const messagesOf = new Map<Language, Messages>()

/** Makes a further language known. Until then its texts are English. */
export const addMessages = (language: Language, messages: Messages): void => {
  messagesOf.set(language, messages)
}

/** The offered language of a tag like `ru-RU`. A pseudo-locale is offered where its messages are. */
export function offeredLanguage(tag: string | undefined): Language | undefined {
  const asked = tag?.trim().toLowerCase() ?? ''
  const offered = LANGUAGES.filter((row) => !('pseudo' in row) || messagesOf.has(row.code))
  const found = (code: string | undefined) => offered.find((row) => row.code.toLowerCase() === code)
  return (found(asked) ?? found(asked.split('-')[0]))?.code
}

/** An English text in a further language; English where it has no translation yet. */
export const translated = (text: string, language: Language): string => messagesOf.get(language)?.[text] || text

/** `Empty||battery` is the key of an English text with a second meaning; behind the mark stands the one that is meant. */
export const withoutContext = (text: string): string => text.split('||', 1)[0] ?? ''

/** The text of a label in a language, with the values of its placeholders. */
export function say(label: Label, language: Language, values?: MessageValues): string {
  const { intl, place } = languageRow(language)
  const text = withoutContext(label[place] ?? translated(label[0], language))
  return values ? formatMessage(text, values, intl) : text
}

/** A label with the values of its placeholders, which are the same in every language. */
export const filled = (label: Label, values: MessageValues): Label => composed((language) => say(label, language, values))

/** A label made of other texts: once for each language. Further ones take part as soon as their messages are there. */
export function composed(textIn: (language: Language) => string): Label {
  const spoken = messagesOf.size > 0 ? LANGUAGES : LANGUAGES.filter(isInlineRow)
  const [en = '', ru = '', ...further] = spoken.map(({ code }) => textIn(code))
  return [en, ru, ...further]
}
