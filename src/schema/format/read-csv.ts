/** A fault of the whole file; `line` is the line number. */
export type CsvFault = { code: 'open-quote' | 'text-after-quote' | 'empty'; line: number }
export type CsvTable = { separator: string; head: readonly string[]; rows: readonly (readonly string[])[] }

const separators = [',', ';', '\t'] as const

/** Detects the separator: the one that splits the first line into most cells, ignoring quoted text. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/\r\n|\n|\r/, 1)
  const counts = separators.map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

/** The line in front of the header by which a file names its separator to Excel, which does not show it as a row. */
const namedSeparator = /^"?sep=([,;\t|])"?(?:\r\n|\n|\r)/i

class Reader {
  readonly #text: string
  readonly #plain: RegExp
  readonly #separator: string
  #at = 0
  #line: number

  constructor(text: string, { separator, line }: { separator: string; line: number }) {
    this.#line = line
    this.#text = text
    this.#separator = separator
    this.#plain = new RegExp(`[^${separator}\\r\\n]*`, 'y')
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length
  }

  #plainCell(): string {
    this.#plain.lastIndex = this.#at
    const [text = ''] = this.#plain.exec(this.#text) ?? []
    this.#at += text.length
    return text
  }

  /** Position of the closing quote; a doubled quote is an escape. */
  #closing(): number {
    let end = this.#text.indexOf('"', this.#at + 1)
    while (end >= 0 && this.#text[end + 1] === '"') end = this.#text.indexOf('"', end + 2)
    return end
  }

  #cell(): string | CsvFault {
    if (this.#text[this.#at] !== '"') return this.#plainCell()
    const end = this.#closing()
    if (end < 0) return { code: 'open-quote', line: this.#line }
    const inner = this.#text.slice(this.#at + 1, end)
    this.#line += inner.split('\n').length - 1
    this.#at = end + 1
    const next = this.#text[this.#at]
    const isWhole = next === undefined || next === this.#separator || next === '\r' || next === '\n'
    return isWhole ? inner.replaceAll('""', '"') : { code: 'text-after-quote', line: this.#line }
  }

  /** Cells of one record; an empty line has one empty cell. */
  record(): string[] | CsvFault {
    const cells: string[] = []
    for (;;) {
      const cell = this.#cell()
      if (typeof cell !== 'string') return cell
      cells.push(cell)
      if (this.#text[this.#at] !== this.#separator) break
      this.#at += 1
    }
    if (this.#text.startsWith('\r\n', this.#at)) this.#at += 2
    else if (!this.isOver) this.#at += 1
    this.#line += 1
    return cells
  }
}

/**
 * Drops trailing line breaks. A regular expression such as `[\r\n]+$` would restart at every empty line, which is quadratic.
 */
function withoutEmptyEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1
  return text.slice(0, end)
}

/**
 * A reader of our own, since csv-parse either refuses a quote inside a plain cell or lets text stand behind a closing one.
 * Reads a table by RFC 4180, with commas, semicolons or tabs, with or without a byte order mark. Lines without anything are kept as
 * rows with one empty cell, so that rows keep their numbers; those at the end are left out. Reading ends behind row `mostRows` + 1, so
 * that a file with too many costs no more than one with one too many.
 */
export function readCsv(text: string, mostRows = Number.POSITIVE_INFINITY): CsvTable | CsvFault {
  const steps = readCsvInSteps(text, mostRows)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const rowsOfAStep = 2_000

/** The same, with a pause after each two thousand rows in which a server may do something else. */
export function* readCsvInSteps(text: string, mostRows: number): Generator<undefined, CsvTable | CsvFault, undefined> {
  const whole = text.replace(/^\uFEFF/, '')
  const [nameLine = '', named] = namedSeparator.exec(whole) ?? []
  const body = withoutEmptyEnd(whole.slice(nameLine.length))
  if (body.trim() === '') return { code: 'empty', line: 1 }
  const separator = named ?? separatorOf(body)
  const reader = new Reader(body, { separator, line: nameLine ? 2 : 1 })
  const records: string[][] = []
  while (!reader.isOver && records.length < mostRows + 2) {
    const record = reader.record()
    if (!Array.isArray(record)) return record
    records.push(record)
    if (records.length % rowsOfAStep === 0) yield
  }
  const [head = [], ...rows] = records
  return { separator, head, rows }
}
