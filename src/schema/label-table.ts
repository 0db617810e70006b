import { type InlineLanguage, type Label, languageRow } from './words.ts'

/**
 * The labels of a built console's definitions by number. Their words come with those of the page's language; where definitions
 * carry their words themselves, while developing and on the server, the table is empty.
 */
export const labelTable: [en: string, ru: string][] = []

/** The words of one language for the table, and the print of the build that they belong to. */
export type LabelWords = { print: string; words: readonly string[] }

let known: string | undefined

/** Throws where definitions and words are of different builds: a newer one was put on the server meanwhile. */
export function expectLabels(print: string): void {
  known ??= print
  if (known !== print) throw new Error('The words on the server belong to another version of the console: load the page again')
}

/** Puts in the words of a language. */
export function fillLabels(language: InlineLanguage, { print, words }: LabelWords): void {
  expectLabels(print)
  const { place } = languageRow(language)
  words.forEach((word, index) => {
    const label = labelTable[index] ?? ['', '']
    label[place] = word
    labelTable[index] = label
  })
}

/** The table with a place for so many labels, whose words may be there already or come later. @public: built definitions call it */
export function labelsOf(print: string, count: number): readonly Label[] {
  expectLabels(print)
  for (let index = 0; index < count; index++) labelTable[index] ??= ['', '']
  return labelTable
}
