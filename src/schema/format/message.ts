import { IntlMessageFormat } from 'intl-messageformat'

/** Values of a text by the names of its placeholders. */
export type MessageValues = Readonly<Record<string, unknown>>

const compiled = new Map<string, IntlMessageFormat | undefined>()

function compile(text: string, locale: string): IntlMessageFormat | undefined {
  try {
    return new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })
  } catch {
    return undefined
  }
}

const hasText = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** Placeholders look up their value here; one that is missing shows its own name. */
const lookup = (values: MessageValues, missing: (name: string) => string) =>
  new Proxy<Record<string, string | number>>(
    {},
    {
      has: () => true,
      get: (_, name) => {
        const value = values[String(name)]
        return hasText(value) ? value : missing(String(name))
      },
    },
  )

const ownName = (name: string) => `{${name}}`

/** Puts values into an ICU message. A text that is not a valid message stays as it is. */
export function formatMessage(text: string, values: MessageValues, locale: string, missing = ownName): string {
  if (!text.includes('{')) return text
  const key = `${locale} ${text}`
  if (!compiled.has(key)) compiled.set(key, compile(text, locale))
  const message = compiled.get(key)
  return message ? String(message.format(lookup(values, missing))) : text
}
