import { createHash } from 'node:crypto'
import type { LabelWords } from '#schema/label-table.ts'
import { type InlineLanguage, type Label, languageRow } from '#schema/words.ts'

/** Facts of definitions that are a label; of some others each entry is one. */
const labelFacts = new Set(['label', 'one', 'many', 'help', 'none', 'title', 'body', 'success', 'message', 'ask', 'text'])
const labelTables = new Set(['options', 'labels', 'refusals'])

const isPair = (value: unknown): value is Label =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')

export type CutWords = { code: string; print: string; count: number; words: Record<InlineLanguage, LabelWords> }

/**
 * Definitions as code without words, and the words of each language by number. `N()` stands for the next label, in their order,
 * `L[3]` for one that has stood before: numbers compress badly, and most labels stand once.
 */
export function cutWords(data: unknown): CutWords {
  const labels: Label[] = []
  const places = new Map<string, number>()
  const standIn = (label: Label) => {
    const key = JSON.stringify(label)
    const place = places.get(key)
    if (place !== undefined) return `L[${place}]`
    places.set(key, labels.push(label) - 1)
    return 'N()'
  }
  const write = (value: unknown, key: string, owner: string): string => {
    if (isPair(value) && (labelFacts.has(key) || labelTables.has(owner))) return standIn(value)
    if (Array.isArray(value)) return `[${value.map((each) => write(each, '', key)).join()}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const entries = Object.entries(value).filter(([, each]) => each !== undefined)
    return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${write(each, name, key)}`).join()}}`
  }
  const code = write(data, '', '')
  if (labels.length === 0) throw new Error('The definitions have no label that could be cut: see build/definition-words.ts')
  const print = createHash('sha256').update(JSON.stringify(labels)).digest('base64url').slice(0, 12)
  const of = (language: InlineLanguage): LabelWords => ({
    print,
    words: labels.map((label) => label[languageRow(language).place] ?? ''),
  })
  return { code, print, count: labels.length, words: { en: of('en'), ru: of('ru') } }
}
