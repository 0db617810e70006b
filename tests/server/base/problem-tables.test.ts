import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountProblems } from '#server/account/problems.ts'
import { type ProblemTable, problemTable } from '#server/base/problem-table.ts'
import { demoProblems } from '#server/demo/problems.ts'
import { fillingProblems } from '#server/filling/problems.ts'
import { imageProblems } from '#server/fleet/firmware/image-problems.ts'
import { rolloutProblems } from '#server/fleet/firmware/rollouts/rollout-problems.ts'
import { fleetProblems } from '#server/fleet/shared/problems.ts'

const tables: readonly ProblemTable[] = [
  problemTable,
  accountProblems,
  demoProblems,
  fillingProblems,
  fleetProblems,
  rolloutProblems,
  imageProblems,
]
const rows = tables.flatMap((table) => Object.entries(table))

const server = join(import.meta.dirname, '../../../server')
const sources = readdirSync(server, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ file: relative(server, path), text: readFileSync(path, 'utf8') }))
/** Files of this ending that make refusals, and hold no table. */
const makers = ['base/problems.ts', 'engine/records/database-problems.ts']
const isTable = (file: string) => /(?:problem-table|problems)\.ts$/.test(file) && !makers.includes(file)

/** The text of a call from its opening bracket to the closing one. */
function argumentsAt(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}

/** Calls that refuse with a text of their own: a thrown call or a call of a problem maker that holds Russian words. */
const freeTexts = (text: string) =>
  [...text.matchAll(/\bthrow\s+(?:new\s+)?[\w.]+\(|\b\w*[pP]roblem\(/g)]
    .map((match) => argumentsAt(text, match.index + match[0].length - 1))
    .filter((call) => /\p{Script=Cyrillic}/u.test(call))

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name).toSorted()

describe('the problem tables', () => {
  it('hold each code once', () => {
    const codes = rows.map(([code]) => code)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  it.each(rows)(
    'keep the row %s in one form: same placeholders in both languages, no free reason, no full stop',
    (_code, row) => {
      const [en, ru] = row.text
      expect(placeholders(ru)).toEqual(placeholders(en))
      expect(placeholders(en)).not.toContain('reason')
      expect(en).not.toMatch(/\.$/)
      expect(ru).not.toMatch(/\.$/)
    },
  )

  it('hold no row that the server never answers', () => {
    const texts = sources.filter(({ file }) => !isTable(file)).map(({ text }) => text)
    const isNamed = (name: string) => texts.some((text) => text.includes(name))
    const isThrown = (code: string) => isNamed(`'${code}'`) || isNamed(`\`${code.split('.')[0]}.\${`)
    expect(rows.map(([code]) => code).filter((code) => !isThrown(code))).toEqual([])
  })

  it('hold the text of every refusal: none is written where it is thrown', () => {
    const found = sources.flatMap(({ file, text }) => freeTexts(text).map((call) => `${file}: ${call}`))
    expect(found).toEqual([])
  })

  it.each([
    "throw problem('in-use', { values: { reason: ['it has boards', 'есть платы'] } })",
    'if (taken) throw notNow([\n  `the code is taken (by you)`,\n  `код занят`,\n])',
    "const refused = fleetProblem('ess.has-boards', { faults: [{ path: 'x', code: 'rule', text: ['No', 'Нет'] }] })",
    "throw new Problem('x', { status: 409, text: ['No', 'Нет'] }, {})",
  ])('report a planted refusal with a text of its own: %s', (planted) => {
    expect(freeTexts(planted).length).toBeGreaterThan(0)
  })
})
