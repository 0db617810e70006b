/** Formula injection: spreadsheets run cells that start with these characters; full-width variants are normalised first. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const needsQuotes = /[",\r\n]|^\s|\s$/

/** Excel takes a file for UTF-8 only if it starts with this. */
export const byteOrderMark = '\uFEFF'

/** Text that is text for a spreadsheet, too. */
export const plainText = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** One line by RFC 4180; the cells are written as they are. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
