export type NumberMarks = { decimal: string; group: string }

/** The marks of a locale's numbers. */
export function numberMarks(locale: string): NumberMarks {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(12_345.5)
  const markOf = (type: string, other: string) => parts.find((part) => part.type === type)?.value ?? other
  return { decimal: markOf('decimal', '.'), group: markOf('group', '') }
}

/**
 * A typed number in the notation of the language. Both the comma and the point are read as decimal mark, since many keyboards
 * offer one of them only: of two kinds the last one, and a single one unless it groups the thousands of the locale.
 */
export function plainNumber(text: string, { group }: Pick<NumberMarks, 'group'>): string {
  const bare = text.replace(/\s/g, '')
  const marks = bare.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return bare
  const isOneKind = marks.every((mark) => mark === last)
  const isGrouped = marks.length > 1 || (last === group && /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(bare))
  if (isOneKind && isGrouped) return bare.replace(/[.,]/g, '')
  const place = bare.lastIndexOf(last)
  return `${bare.slice(0, place).replace(/[.,]/g, '')}.${bare.slice(place + 1)}`
}
