import { type InlineLanguage, type Label, languageRow } from './words.ts'

/**
 * Labels of a built console by number, loaded per language. Empty in development and on the server, where definitions carry
 * their labels.
 */
export const labelTable: [en: string, ru: string][] = []

/** Labels of one language, and the hash of the build that they belong to. */
export type LabelWords = { print: string; words: readonly string[] }

let known: string | undefined

/** Throws when definitions and labels are of different builds: a newer one was deployed meanwhile. */
export function expectLabels(print: string): void {
  known ??= print
  if (known !== print) throw new Error('The words on the server belong to another version of the console: load the page again')
}

/** Fills the table for one language. */
export function fillLabels(language: InlineLanguage, { print, words }: LabelWords): void {
  expectLabels(print)
  const { place } = languageRow(language)
  words.forEach((word, index) => {
    const label = labelTable[index] ?? ['', '']
    label[place] = word
    labelTable[index] = label
  })
}

/** The table with room for `count` labels, filled now or later. @public: built definitions call it */
export function labelsOf(print: string, count: number): readonly Label[] {
  expectLabels(print)
  for (let index = 0; index < count; index++) labelTable[index] ??= ['', '']
  return labelTable
}
