/** Most characters of a text by its type, where the field says no `maxLength`; other types have no more than `text`. */
export const longestText = { text: 250, longText: 10_000, code: 64, tags: 64, url: 2_000 } as const

/** The longest text that a field takes. */
export const longestOf = ({ type, maxLength }: Readonly<Record<string, unknown>>): number =>
  typeof maxLength === 'number' && type !== 'tags'
    ? maxLength
    : (Object.entries(longestText).find(([name]) => name === type)?.[1] ?? longestText.text)
