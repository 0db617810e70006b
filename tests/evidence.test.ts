import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Row = { line: number; cells: Readonly<Record<string, string>> }

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The rows of all tables of a page, each cell under the head of its column. */
function rowsOf(text: string): Row[] {
  let head: string[] = []
  return text.split('\n').flatMap((line, index): Row[] => {
    if (!line.startsWith('|')) {
      head = []
      return []
    }
    const cells = cellsOf(line)
    if (head.length === 0) {
      head = cells
      return []
    }
    if (cells.every((cell) => /^-+$/.test(cell))) return []
    return [{ line: index + 1, cells: Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])) }]
  })
}

const filesIn = (cell: string) => [...cell.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, file = '']) => file)

/** `e2e/roles.spec.ts` “title one”, “title two” */
function testsIn(cell: string): { file: string; title: string }[] {
  let file = ''
  return [...cell.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`|“([^”]+)”/g)].flatMap(([, found, title]) => {
    if (found) file = `tests/${found}`
    return title ? [{ file, title }] : []
  })
}

const sources = new Map<string, string>()
function sourceOf(file: string): string {
  const known = sources.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
  sources.set(file, known)
  return known
}

/** Whether a file has a test of this title, written as it stands in the source. */
const hasTest = (file: string, title: string) => ["'", '"', '`'].some((quote) => sourceOf(file).includes(quote + title + quote))

const missingTests = (cell: string) =>
  testsIn(cell).flatMap(({ file, title }) => (hasTest(file, title) ? [] : [`${file} has no test “${title}”`]))

function faultsOf({ cells, line }: Row): string[] {
  const { Where: where, 'Shown by': shown = '' } = cells
  const files = filesIn(where ?? '')
  const tests = testsIn(shown)
  const isReasoned = where === undefined && /^(Not needed|Otherwise|By hand): \S/.test(shown)
  return [
    ...(where !== undefined && files.length === 0 ? ['names no file'] : []),
    ...files.filter((file) => !existsSync(file)).map((file) => `${file} is not there`),
    ...(tests.length === 0 && !isReasoned ? ['names no test'] : []),
    ...missingTests(shown),
  ].map((fault) => `line ${line}: ${fault}`)
}

describe.each(['tests/specification.md', 'tests/security.md', 'tests/traps.md'])('%s', (page) => {
  const rows = rowsOf(readFileSync(page, 'utf8'))

  it('has a file and a test in every row, and they exist', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.flatMap(faultsOf)).toEqual([])
  })
})
