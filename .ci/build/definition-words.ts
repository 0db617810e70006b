import { createHash } from 'node:crypto'
import type { LabelWords } from '#schema/label-table.ts'
import { type Label, type Language, languages } from '#schema/words.ts'

/** Facts of definitions that are a label; of some others each entry is one. */
const labelFacts = new Set(['label', 'one', 'many', 'help', 'none', 'title', 'body', 'success', 'message'])
const labelTables = new Set(['options', 'labels'])

const isPair = (value: unknown): value is Label =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')

export type CutWords = { code: string; print: string; count: number; words: Record<Language, LabelWords> }

/** Definitions as code without words, `L[3]` in the place of each label, and the words of each language by these numbers. */
export function cutWords(data: unknown): CutWords {
  const labels: Label[] = []
  const places = new Map<string, number>()
  const placeOf = (label: Label) => {
    const key = JSON.stringify(label)
    const place = places.get(key) ?? labels.push(label) - 1
    places.set(key, place)
    return place
  }
  const write = (value: unknown, key: string, owner: string): string => {
    if (isPair(value) && (labelFacts.has(key) || labelTables.has(owner))) return `L[${placeOf(value)}]`
    if (Array.isArray(value)) return `[${value.map((each) => write(each, '', key)).join()}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const entries = Object.entries(value).filter(([, each]) => each !== undefined)
    return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${write(each, name, key)}`).join()}}`
  }
  const code = write(data, '', '')
  const print = createHash('sha256').update(JSON.stringify(labels)).digest('base64url').slice(0, 12)
  const of = (place: number): LabelWords => ({ print, words: labels.map((label) => label[place] ?? '') })
  return { code, print, count: labels.length, words: { en: of(0), ru: of(languages.indexOf('ru')) } }
}
