import { fillLabels, type LabelWords } from '#schema/label-table.ts'
import { addMessages, isInline, LANGUAGES } from '#schema/words.ts'

type WordsFile = { definitions?: LabelWords }

/**
 * Loads the labels of every language, for what has been written in another one than the page's: a file of an export. Languages
 * whose file does not come are left out.
 */
export async function loadAllWords(): Promise<void> {
  const offered = LANGUAGES.filter((row) => !('pseudo' in row))
  await Promise.allSettled(
    offered.map(async ({ code }) => {
      const answer = await fetch(`/locales/${code}.json`)
      if (!answer.ok) return
      if (!isInline(code)) return addMessages(code, await answer.json())
      const { definitions }: WordsFile = await answer.json()
      if (definitions) fillLabels(code, definitions)
    }),
  )
}
