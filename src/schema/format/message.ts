import { MessageFormatter, pluralTypeHandler, selectTypeHandler } from '@ultraq/icu-message-formatter'

/** Values of a text by the names of its placeholders. */
export type MessageValues = Readonly<Record<string, string | number | null | undefined>>
type Given = Readonly<Record<string, unknown>>

const formatters = new Map<string, MessageFormatter>()

/** Locales from right to left: in their texts values run by their own first letter, so that `12.3 kW` keeps its order. */
export const rtlLocales = new Set<string>()

/** `#` in a plural branch is the number in the locale's format. */
const numberHandler = (value: number | null | undefined, _: string, locale: string) =>
  new Intl.NumberFormat(locale).format(value ?? 0)

function formatterOf(locale: string): MessageFormatter {
  const handlers = { plural: pluralTypeHandler, select: selectTypeHandler, number: numberHandler }
  const formatter = formatters.get(locale) ?? new MessageFormatter(locale, handlers)
  formatters.set(locale, formatter)
  return formatter
}

const ownName = (name: string) => `{${name}}`
const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** Values for all placeholders; a missing one shows its own name. */
function completed(text: string, values: Given, locale: string, missing: (name: string) => string): Record<string, unknown> {
  const names = [...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => {
      const value = isText(values[name]) ? values[name] : missing(name)
      const isFormatted = new RegExp(`\\{\\s*${name}\\s*,`).test(text)
      return [name, rtlLocales.has(locale) && !isFormatted ? `\u2068${value}\u2069` : value]
    }),
  )
}

/** Formats an ICU message. Invalid message syntax is returned unchanged. */
export function formatMessage(text: string, values: Given, locale: string, missing = ownName): string {
  if (!text.includes('{')) return text
  try {
    // `process`, not `format`: the latter caches every text with its values forever.
    return formatterOf(locale)
      .process(text, completed(text, values, locale, missing))
      .flat(Number.POSITIVE_INFINITY)
      .join('')
  } catch {
    return text
  }
}
