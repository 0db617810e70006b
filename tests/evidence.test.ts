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

type Named = { file: string; title: string; assertion: string | undefined }

/** `e2e/roles.spec.ts` “title one”, “title two” `expect(assertion)` */
function testsIn(cell: string): Named[] {
  let file = ''
  const names = cell.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`|“([^”]+)”(?: `([^`]+)`)?/g)
  return [...names].flatMap(([, found, title, assertion]) => {
    if (found) file = `tests/${found}`
    return title ? [{ file, title, assertion }] : []
  })
}

const sources = new Map<string, string>()
function sourceOf(file: string): string {
  const known = sources.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
  sources.set(file, known)
  return known
}

/** Functions of a file by name, each up to the next empty line. */
const helpersOf = (source: string) =>
  new Map([...source.matchAll(/(?:function|const) (\w+)\b[\s\S]*?(?=\n\n|$)/g)].map(([text, name = '']) => [name, text]))

/** The text of a test with the table that it runs over, and of the functions of its file that it calls; none without such a title. */
function textOf({ file, title }: Named): string | undefined {
  const source = sourceOf(file)
  const at = ["'", '"', '`'].map((quote) => source.indexOf(quote + title + quote)).find((index) => index >= 0)
  if (at === undefined) return undefined
  const starts = [...source.matchAll(/^\s*(?:it|test|describe)(?:\.(?:each|describe|concurrent))*\(/gm)].map(
    ({ index }) => index,
  )
  const own = source.slice(
    starts.findLast((start) => start < at) ?? 0,
    starts.find((start) => start > at),
  )
  const called = [...helpersOf(source)].filter(([name]) => new RegExp(`\\b${name}\\(`).test(own)).map(([, text]) => text)
  return [own, ...called].join('\n')
}

/** Stems of the longer words and the numbers of a claim. */
const stemsOf = (claim: string) => [
  ...[...claim.matchAll(/[A-Za-z]{5,}/g)].map(([word]) => word.slice(0, 5).toLowerCase()),
  ...[...claim.matchAll(/\b\d{2,}\b/g)].map(([number]) => number),
]

/** Faults of the tests that a row names: each is there, asserts, and holds the named assertion; one of them speaks of the claim. */
function testFaults(claim: string, cell: string): string[] {
  const tests = testsIn(cell).map((test) => ({ ...test, text: textOf(test) }))
  const speaks = tests.some(
    ({ text = '', assertion }) => assertion !== undefined || stemsOf(claim).some((stem) => text.toLowerCase().includes(stem)),
  )
  return [
    ...tests.flatMap(({ file, title, assertion, text }) => {
      if (text === undefined) return [`${file} has no test “${title}”`]
      if (!/\bexpect|\buntil\(/.test(text)) return [`“${title}” of ${file} asserts nothing`]
      return assertion === undefined || text.includes(assertion) ? [] : [`“${title}” of ${file} has no \`${assertion}\``]
    }),
    ...(tests.length === 0 || speaks ? [] : ['its tests share no word with it: name the assertion behind a title']),
  ]
}

function faultsOf({ cells, line }: Row): string[] {
  const { Where: where, 'Shown by': shown = '' } = cells
  const files = filesIn(where ?? '')
  const tests = testsIn(shown)
  const isReasoned = where === undefined && /^(Not needed|Otherwise|By hand): \S/.test(shown)
  return [
    ...(where !== undefined && files.length === 0 ? ['names no file'] : []),
    ...files.filter((file) => !existsSync(file)).map((file) => `${file} is not there`),
    ...(tests.length === 0 && !isReasoned ? ['names no test'] : []),
    ...testFaults(Object.values(cells)[0] ?? '', shown),
  ].map((fault) => `line ${line}: ${fault}`)
}

describe.each(['tests/specification.md', 'tests/security.md', 'tests/traps.md'])('%s', (page) => {
  const rows = rowsOf(readFileSync(page, 'utf8'))

  it('has a file and a test in every row, and they exist', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.flatMap(faultsOf)).toEqual([])
  })
})
