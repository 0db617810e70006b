import { type ReactNode, useMemo } from 'react'
import { intlOf } from '#schema/words.ts'
import { type UiWords, UiWordsProvider, uiWordKeys } from '#ui/theme/ui-words.tsx'
import { useShellLanguage, useWords } from './use-words.ts'

/** The kit's own texts in the current language. */
export function KitWords({ children }: { children: ReactNode }) {
  const words = useWords()
  const language = useShellLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words change with the language only
  const kitWords = useMemo(() => Object.fromEntries(uiWordKeys.map((key) => [key, words(`ui.${key}`)])) as UiWords, [language])
  return (
    <UiWordsProvider words={kitWords} locale={intlOf(language)}>
      {children}
    </UiWordsProvider>
  )
}
