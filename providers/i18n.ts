import type { I18nProvider } from '@refinedev/core'
import { fillLabels, type LabelWords } from '#schema/label-table.ts'
import { isLanguage, type Language } from '#schema/words.ts'
import type { Words } from './http-problem.ts'
import type { KeyValueStorage } from './session/session-environment.ts'
import { type WordTree, wordOf } from './word-tree.ts'

export const languageKey = 'ess-console.language'

export type I18nOptions = {
  /** Fetches the words of one language. */
  load?: (language: Language) => Promise<WordTree>
  /** Brings along what else depends on the language (calendar, kit), before the words change. */
  onLanguage?: (language: Language) => Promise<unknown>
  storage?: Pick<KeyValueStorage, 'getItem' | 'setItem'>
  /** The browser's languages, best first. */
  preferred?: readonly string[]
}

export type ConsoleI18n = {
  /** Refine's contract over the same words. */
  provider: I18nProvider
  words: Words
  language: () => Language
  /** Hears of each switch; answers how to stop. */
  subscribe: (listener: () => void) => () => void
  /** Switches without a reload and remembers it on this device; rejects and changes nothing when the words do not come. */
  changeLanguage: (language: Language) => Promise<void>
  /** True for a language chosen on this device; otherwise the browser and then the profile decide. */
  isChosen: () => boolean
}

/** The definition texts of a built console. */
type BuiltWords = WordTree & { definitions?: LabelWords }

async function fetchWords(language: Language): Promise<WordTree> {
  const answer = await fetch(`/locales/${language}.json`)
  if (!answer.ok) throw new Error(`locales/${language}.json: ${answer.status}`)
  const { definitions, ...tree } = (await answer.json()) as BuiltWords
  if (definitions) fillLabels(language, definitions)
  return tree
}

/** Storage may be forbidden; then the choice lasts as long as the page. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const isRussian = (tag: string | undefined) => tag?.toLowerCase().split('-')[0] === 'ru'

/** Loads the words of the device's language. Await it before the first render. */
export async function initI18n(options: I18nOptions = {}): Promise<ConsoleI18n> {
  const { load = fetchWords, onLanguage, preferred = navigator.languages } = options
  const stored = () => attempt(() => (options.storage ?? localStorage).getItem(languageKey))
  const chosen = stored()
  let language: Language = isRussian(preferred[0]) ? 'ru' : 'en'
  if (isLanguage(chosen)) language = chosen
  let wanted = language

  const trees = new Map<Language, WordTree>()
  const listeners = new Set<() => void>()
  const fetched = async (next: Language): Promise<WordTree> => {
    const [tree] = await Promise.all([trees.get(next) ?? load(next), onLanguage?.(next)])
    trees.set(next, tree)
    return tree
  }
  let tree = await fetched(language)
  document.documentElement.lang = language

  const changeLanguage = async (next: Language) => {
    wanted = next
    const words = await fetched(next)
    // Two quick clicks: the last one wins, whichever file comes first.
    if (wanted !== next) return
    tree = words
    language = next
    document.documentElement.lang = next
    attempt(() => (options.storage ?? localStorage).setItem(languageKey, next))
    for (const listener of [...listeners]) listener()
  }

  return {
    words: (key, values) => wordOf(tree, language, key, values),
    language: () => language,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    changeLanguage,
    isChosen: () => isLanguage(stored()),
    provider: {
      // Refine gives a default as the third argument, or as the second when there are no values.
      translate: (key: string, values?: unknown, fallback?: string) => {
        if (typeof values === 'string') return wordOf(tree, language, key, {}, values)
        const own = typeof values === 'object' && values !== null ? { ...values } : {}
        return wordOf(tree, language, key, own, fallback)
      },
      changeLocale: (locale: string) => (isLanguage(locale) ? changeLanguage(locale) : Promise.resolve()),
      getLocale: () => language,
    },
  }
}
