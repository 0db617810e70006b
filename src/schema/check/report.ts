import { isObject } from '#schema/is-object.ts'

/** One fault of a definition: what, where, and how to mend it. `path` is like `ess.fields.ownerId.to`. */
export type DefinitionFault = { code: string; path: string; message: string }

/** Collects the faults of one run; `near` adds a "did you mean". */
export type Report = (code: string, path: string, message: string, near?: { word: string; among: readonly string[] }) => void

export function newReport(): { report: Report; faults: DefinitionFault[] } {
  const faults: DefinitionFault[] = []
  const report: Report = (code, path, message, near) => {
    const guess = near && closest(near.word, near.among)
    faults.push({ code, path, message: guess ? `${message}; did you mean "${guess}"?` : message })
  }
  return { report, faults }
}

/** The word that a typing slip most likely meant; undefined when none is near. */
export function closest(word: string, among: readonly string[]): string | undefined {
  const ranked = among.map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
  const best = ranked.sort((a, b) => a.distance - b.distance)[0]
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

export const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

/** Names that are not in a list, each a fault. */
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
  words.forEach((word, index) => {
    if (!among.includes(String(word))) {
      report(code, `${path}[${index}]`, `there is no ${what} "${String(word)}"`, { word: String(word), among })
    }
  })
}

/** Keys that the language does not know, each a fault. */
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

/** A label is exactly two non-empty texts: English, Russian. */
export function checkLabel(report: Report, path: string, label: unknown): void {
  const good =
    Array.isArray(label) && label.length === 2 && label.every((text) => typeof text === 'string' && text.trim() !== '')
  if (!good) report('missing-translation', path, 'a label is a pair of texts: [English, Russian]')
}

/** Counts what a nested check reports, since a default is worth checking only in a sound field. */
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
