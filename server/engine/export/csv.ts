/** Formula injection: spreadsheets run cells that start with these characters; full-width variants are normalised first. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const needsQuotes = /[",\r\n]|^\s|\s$/

/** Excel detects UTF-8 by it. */
export const byteOrderMark = '\uFEFF'

/** Neutralises formulas in text. */
export const plainText = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** One line by RFC 4180; cells are expected to be safe. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
