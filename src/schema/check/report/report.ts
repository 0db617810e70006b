import { isObject } from '#schema/is-object.ts'

/** One fault: code, path such as `ess.fields.ownerId.to`, and a message with the remedy. */
export type DefinitionFault = { code: string; path: string; message: string }

/** Collects the faults of one run; `near` adds a "did you mean". */
export type Report = (code: string, path: string, message: string, near?: { word: string; among: readonly string[] }) => void

/** A misspelt word and the closest known one. */
export type Slip = { path: string; word: string; guess: string }

export function newReport(): { report: Report; faults: DefinitionFault[]; slips: Slip[] } {
  const faults: DefinitionFault[] = []
  const slips: Slip[] = []
  const report: Report = (code, path, message, near) => {
    const guess = near && closest(near.word, near.among)
    if (near && guess) slips.push({ path, word: near.word, guess })
    const advice = guess ? `; did you mean "${guess}"?` : near ? `; ${choicesOf(near)}` : ''
    faults.push({ code, path, message: `${message}${advice}` })
  }
  return { report, faults, slips }
}

const maxChoices = 80

/** All choices, when no close match exists. */
function choicesOf({ among }: { among: readonly string[] }): string {
  if (among.length === 0) return 'there are none'
  const more = among.length > maxChoices ? ` and ${among.length - maxChoices} more` : ''
  return `choose from ${among.slice(0, maxChoices).join(', ')}${more}`
}

/** `an enum`, `a text`. */
export const withArticle = (word: string): string => `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`

const isPart = (one: string, other: string) =>
  Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one))

/** Spells equal sounds alike: `fone` is `phone`. */
const sounding = (word: string) => word.toLowerCase().replaceAll('ph', 'f').replaceAll('ck', 'k')

/** The closest known word, by typo, sound or prefix; undefined when none is close. */
export function closest(word: string, among: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  const ranked = among.map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
  const best = ranked.sort((a, b) => a.distance - b.distance)[0]
  const isNear = best && best.distance < word.length && best.distance <= Math.max(1, Math.floor(word.length / 3))
  if (isNear) return best.candidate
  return among.find((one) => sounding(one) === sounding(word) || isPart(lower, one.toLowerCase()))
}

/** Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, isSwap ? (before[j - 2] ?? 0) + 1 : change))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** Entries of an object; none of any other value. */
export const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

/** Reports each name that is not in the list. */
export function unknownWords(
  report: Report,
  code: string,
  path: string,
  words: unknown,
  among: readonly string[],
  what: string,
): void {
  if (words === undefined) return
  if (!Array.isArray(words)) return report('wrong-type', path, `expected a list of ${what}s`)
  for (const [index, word] of words.entries()) unknownWord(report, code, `${path}[${index}]`, word, among, what)
}

/** Reports a name that is not in the list. */
export function unknownWord(
  report: Report,
  code: string,
  path: string,
  word: unknown,
  among: readonly string[],
  what: string,
): void {
  if (!among.includes(String(word))) report(code, path, `there is no ${what} "${String(word)}"`, { word: String(word), among })
}

export function unknownKeys(
  report: Report,
  code: string,
  path: string,
  value: unknown,
  known: readonly string[],
  what: string,
): void {
  for (const [key] of entriesOf(value)) {
    if (!known.includes(key)) report(code, `${path}.${key}`, `${what} has no "${key}"`, { word: key, among: known })
  }
}

const isText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''

/** The fault of a label that is not exactly two non-empty texts, English and Russian. */
export function labelFault(label: unknown): string | undefined {
  const [english, russian, ...others] = Array.isArray(label) ? label : [label]
  if (others.length > 0) return `a label has two texts, English and Russian; here are ${others.length + 2}`
  if (isText(english)) return isText(russian) ? undefined : `"${english}" has no Russian text: write ['${english}', '…']`
  if (isText(russian)) return `"${russian}" has no English text: write ['…', '${russian}']`
  return "there is no text: write ['…', '…'], English and Russian"
}

export function checkLabel(report: Report, path: string, label: unknown): void {
  const fault = labelFault(label)
  if (fault) report('missing-translation', path, fault)
}

/** Counts the reports of a nested check: a default is only checked in a sound field. */
export function newCount(report: Report): { report: Report; count: () => number } {
  let count = 0
  return {
    report: (...args) => {
      count += 1
      report(...args)
    },
    count: () => count,
  }
}
