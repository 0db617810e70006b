/** CSV injection: spreadsheets read these as the start of a formula. A plain negative number is safe. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const number = /^-\d+([.,]\d+)?$/

function cell(text: string, separator: string): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  const isPlain = !safe.includes(separator) && !/["\r\n]|^\s|\s$/.test(safe)
  return isPlain ? safe : `"${safe.replaceAll('"', '""')}"`
}

/** A CSV file that spreadsheets open: with a byte order mark, in the separator of the source. */
export const tableFile = (rows: readonly (readonly string[])[], separator: string): Blob =>
  new Blob([`\uFEFF${rows.map((row) => `${row.map((text) => cell(text, separator)).join(separator)}\r\n`).join('')}`], {
    type: 'text/csv;charset=utf-8',
  })
