import { formatMessage, type MessageValues, rtlLocales } from './format/message.ts'

type LanguageRow = {
  /** As in `Accept-Language`, the profile and the file name of the messages. */
  code: string
  /** BCP 47 locale of numbers and dates. */
  intl: string
  direction: 'ltr' | 'rtl'
  /** File names of its texts and calendar in `antd/es/locale` and `dayjs/locale`. */
  antd: string
  dayjs: string
  /** Name in the language itself. */
  name: string
  /** Its texts are part of the labels. */
  inline?: true
  /** Generated for development and tests; not selectable in a profile. */
  pseudo?: true
}

/**
 * Languages of console and server. Labels hold the texts of the inline ones, in this order. Each further language is a row here
 * and a file of messages, created by `npm run words -- CODE`.
 */
export const LANGUAGES = [
  { code: 'en', intl: 'en-GB', direction: 'ltr', antd: 'en_GB', dayjs: 'en-gb', name: 'English', inline: true },
  { code: 'ru', intl: 'ru-RU', direction: 'ltr', antd: 'ru_RU', dayjs: 'ru', name: 'Русский', inline: true },
  // Greek dates: a date formatted in English stands out.
  { code: 'en-XA', intl: 'el-GR', direction: 'ltr', antd: 'el_GR', dayjs: 'el', name: '[Ƥšéûðö]', pseudo: true },
] as const satisfies readonly LanguageRow[]

export type Language = (typeof LANGUAGES)[number]['code']

/** Language of the keys, and fallback for missing translations. */
export const sourceLanguage = 'en' satisfies Language

const placed = LANGUAGES.map((row: LanguageRow, place) => ({ ...row, place }))
const rows = new Map(placed.map((row) => [row.code, row]))

type Row = (typeof LANGUAGES)[number]
type InlineRow = Extract<Row, { inline: true }>
export type InlineLanguage = InlineRow['code']

const isInlineRow = (row: Row): row is InlineRow => 'inline' in row

/** Languages that users may choose. */
export const languages: readonly Language[] = LANGUAGES.filter((row) => !('pseudo' in row)).map(({ code }) => code)

/** Languages whose texts are in the labels. @public: the build cuts their words */
export const inlineLanguages: readonly InlineLanguage[] = LANGUAGES.filter(isInlineRow).map(({ code }) => code)

/** A language whose texts are part of the labels. */
export const isInline = (language: Language): language is InlineLanguage => languageRow(language).inline === true

export const isLanguage = (value: unknown): value is Language => typeof value === 'string' && rows.has(value)

/** The row of a language with its place in the table. */
export function languageRow(language: Language): LanguageRow & { place: number } {
  const row = rows.get(language)
  if (!row) throw new Error(`LANGUAGES has no row "${language}"`)
  return row
}

/** Locale of a language for `Intl`: `en-GB`. */
export const intlOf = (language: Language): string => languageRow(language).intl

/**
 * A text in the inline languages; a missing translation is a type error. A composed label has a text for every row of the
 * table.
 */
export type Label = readonly [en: string, ru: string, ...further: string[]]

/** Messages of a further language, keyed by English text. */
export type Messages = Readonly<Record<string, string>>

const messagesOf = new Map<Language, Messages>()

/** Registers the messages of a further language. Until then its texts are English. */
export const addMessages = (language: Language, messages: Messages): void => {
  messagesOf.set(language, messages)
  const { direction, intl } = languageRow(language)
  if (direction === 'rtl') rtlLocales.add(intl)
}

/** The offered language of a tag such as `ru-RU`. A pseudo-locale is offered only when its messages are loaded. */
export function offeredLanguage(tag: string | undefined): Language | undefined {
  const asked = tag?.trim().toLowerCase() ?? ''
  const offered = LANGUAGES.filter((row) => !('pseudo' in row) || messagesOf.has(row.code))
  const found = (code: string | undefined) => offered.find((row) => row.code.toLowerCase() === code)
  return (found(asked) ?? found(asked.split('-')[0]))?.code
}

/** An English text in a further language; falls back to English. */
export const translated = (text: string, language: Language): string => messagesOf.get(language)?.[text] || text

/** `Empty||battery`: the context after the mark distinguishes meanings of one English text. */
export const withoutContext = (text: string): string => text.split('||', 1)[0] ?? ''

/** The text of a label in a language, with placeholders filled. */
export function say(label: Label, language: Language, values?: MessageValues): string {
  const { intl, place } = languageRow(language)
  const text = withoutContext(label[place] ?? translated(label[0], language))
  return values ? formatMessage(text, values, intl) : text
}

/** A value of a placeholder; a label is shown in the language of the text around it. */
export type LabelValue = string | number | Label

export const sayValue = (value: LabelValue, language: Language): string | number =>
  typeof value === 'object' ? say(value, language) : value

/** Fills the placeholders of a label in every language. */
export const filled = (label: Label, values: Readonly<Record<string, LabelValue>>): Label =>
  composed((language) => {
    const said = Object.entries(values).map(([name, value]) => [name, sayValue(value, language)])
    return say(label, language, Object.fromEntries(said))
  })

/** A label composed of other texts, once per language. Further languages are added when their messages are loaded. */
export function composed(textIn: (language: Language) => string): Label {
  const spoken = messagesOf.size > 0 ? LANGUAGES : LANGUAGES.filter(isInlineRow)
  const [en = '', ru = '', ...further] = spoken.map(({ code }) => textIn(code))
  return [en, ru, ...further]
}
