import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Language } from '#schema/words.ts'

type Words = (key: string, values?: Record<string, unknown>) => string

/** The shell's texts and their language; `subscribe` reports each switch. */
export type WordSource = { words: Words; language: () => Language; subscribe: (listener: () => void) => () => void }

const WordsContext = createContext<WordSource | undefined>(undefined)
export const WordsProvider = WordsContext

function useWordSource(): WordSource {
  const source = useContext(WordsContext)
  if (!source) throw new Error('useWords: no WordsProvider above')
  return source
}

export function useShellLanguage(): Language {
  const { subscribe, language } = useWordSource()
  return useSyncExternalStore(subscribe, language)
}

/** The shell's texts by key in the current language: `words('signIn.title')`. */
export function useWords(): Words {
  useShellLanguage()
  return useWordSource().words
}
