export type NumberMarks = { decimal: string; group: string }

/** The marks of a locale's numbers. */
export function numberMarks(locale: string): NumberMarks {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(12_345.5)
  const markOf = (type: string, other: string) => parts.find((part) => part.type === type)?.value ?? other
  return { decimal: markOf('decimal', '.'), group: markOf('group', '') }
}

/** Signs that keyboards and other programs write for the same thing; NFKC turns full-width ones into ASCII. */
const inAscii = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replaceAll('\u066b', '.')
    .replace(/[\u066c'\u2019]/g, ' ')
    .replace(/^\s*[\u2212\u2010-\u2015]/, '-')
    .replace(/\s+/g, ' ')
    .trim()

const withoutUnit = (text: string, unit: string) => {
  const written = inAscii(unit)
  return written && text.endsWith(written) ? text.slice(0, -written.length).trim() : text
}

/** Thousands, also where the middle groups have two digits. */
const isGrouped = (text: string, mark: string) =>
  text
    .split(mark)
    .every((part, at, { length }) => (at === 0 ? /^\d{1,3}$/ : at === length - 1 ? /^\d{3}$/ : /^\d{2,3}$/).test(part))

/** The digits of a whole part without its grouping; undefined where the marks do not group. */
function ungrouped(whole: string): string | undefined {
  const marks = new Set(whole.match(/[ .,]/g))
  const [mark] = marks
  if (mark === undefined) return whole
  return marks.size === 1 && isGrouped(whole, mark) ? whole.replaceAll(mark, '') : undefined
}

/** The place of the decimal mark, or -1. */
function decimalPlace(text: string, group: string): number {
  const marks = text.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return -1
  const isOneKind = marks.every((mark) => mark === last)
  const groups = isOneKind && (marks.length > 1 || (last === group && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)))
  return groups ? -1 : text.lastIndexOf(last)
}

/**
 * A typed number in the notation of the language, as a program writes it; undefined for anything that is not clearly one. Both
 * the comma and the point are read as decimal mark, since many keyboards offer one of them only: of two kinds the last one, and a
 * single one unless it groups the thousands of the locale. The unit of the field may stand behind the number.
 */
export function plainNumber(typed: string, { group }: Pick<NumberMarks, 'group'>, unit = ''): string | undefined {
  const [, sign = '', figures = '', exponent = ''] =
    /^([-+]?) ?([\d ,.]+?)(e[-+]?\d+)?$/i.exec(withoutUnit(inAscii(typed), unit)) ?? []
  const place = decimalPlace(figures, group)
  const whole = ungrouped(place < 0 ? figures : figures.slice(0, place))
  const decimals = place < 0 ? '' : figures.slice(place + 1)
  if (whole === undefined || !/^\d*$/.test(decimals) || whole + decimals === '') return undefined
  const text = `${sign.replace('+', '')}${whole || '0'}${place < 0 ? '' : '.'}${decimals}${exponent}`
  return Number.isFinite(Number(text)) ? text : undefined
}
