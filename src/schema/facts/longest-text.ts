import { type Field, traitsOf } from '#schema/field-types.ts'

/** Most characters of a text by its type, where the field says no `maxLength`; other types have no more than `text`. */
export const longestText = {
  text: 250,
  longText: 10_000,
  code: 64,
  tags: 64,
  url: 2_000,
  email: 254,
  phone: 16,
  semver: 64,
  timezone: 64,
  /** Digits, where no number of bytes is said. */
  hex: 4_096,
} as const

/** The longest text that a field takes. */
export const longestOf = ({ type, maxLength, bytes }: Readonly<Record<string, unknown>>): number => {
  if (type === 'hex' && typeof bytes === 'number') return 2 * bytes
  return typeof maxLength === 'number' && type !== 'tags'
    ? maxLength
    : (Object.entries(longestText).find(([name]) => name === type)?.[1] ?? longestText.text)
}

/**
 * Most characters of all texts in one index row. A row of a B-tree has up to 2,704 bytes: a character takes up to four, and an id of
 * the record may stand beside them.
 */
export const longestKey = 600

/** Most characters of a field in an index row; 0 for one that is no text, and for none. */
export const keyCharacters = (field: Field | undefined): number =>
  field && traitsOf(field)?.compare === 'text' ? longestOf(field) : 0
