import type { I18nProvider } from '@refinedev/core'
import { isObject } from '#schema/is-object.ts'
import { fillLabels, type LabelWords } from '#schema/label-table.ts'
import {
  addMessages,
  type InlineLanguage,
  isInline,
  isLanguage,
  type Language,
  languageRow,
  type Messages,
  offeredLanguage,
  sourceLanguage,
} from '#schema/words.ts'
import type { Words } from './http-problem.ts'
import type { KeyValueStorage } from './session/session-environment.ts'
import { type WordTree, wordOf } from './word-tree.ts'

export const languageKey = 'ess-console.language'

export type I18nOptions = {
  /** Loads the keyed texts of an inline language. */
  load?: (language: InlineLanguage) => Promise<WordTree>
  /** Loads the messages of a further language. */
  loadMessages?: (language: Language) => Promise<Messages>
  /** Loads other language-dependent parts (calendar, kit) before the texts change. */
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
  /** Called on each switch; returns the unsubscribe function. */
  subscribe: (listener: () => void) => () => void
  /** Switches without a reload and stores the choice on this device; rejects without a change when the texts fail to load. */
  changeLanguage: (language: Language) => Promise<void>
  /** True when a language was chosen on this device; otherwise the browser, and then the profile, decide. */
  isChosen: () => boolean
}

/** The definition texts of a built console. */
type BuiltWords = WordTree & { definitions?: LabelWords }

async function fetchFile<T>(language: Language): Promise<T> {
  const answer = await fetch(`/locales/${language}.json`)
  if (!answer.ok) throw new Error(`locales/${language}.json: ${answer.status}`)
  return answer.json()
}

async function fetchWords(language: InlineLanguage): Promise<WordTree> {
  const { definitions, ...tree } = await fetchFile<BuiltWords>(language)
  if (definitions) fillLabels(language, definitions)
  return tree
}

/** Storage may be blocked; the choice then lasts as long as the page. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Refine's default texts use i18next placeholders. */
const icuOf = (text: string) => text.replace(/\{\{(\w+)\}\}/g, '{$1}')

function showLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = languageRow(language).direction
}

/** Loads the texts of the device's language. Await it before the first render. */
export async function initI18n(options: I18nOptions = {}): Promise<ConsoleI18n> {
  const { load = fetchWords, loadMessages = fetchFile<Messages>, onLanguage, preferred = navigator.languages } = options
  const stored = () => attempt(() => (options.storage ?? localStorage).getItem(languageKey))
  const chosen = stored()
  let language = offeredLanguage(preferred[0]) ?? sourceLanguage
  if (isLanguage(chosen)) language = chosen
  let wanted = language

  const trees = new Map<Language, WordTree>()
  const listeners = new Set<() => void>()
  // A further language translates the English tree, text by text.
  const fetched = async (next: Language): Promise<WordTree> => {
    const inline = isInline(next) ? next : sourceLanguage
    const messages = inline === next ? undefined : loadMessages(next)
    const [tree] = await Promise.all([trees.get(inline) ?? load(inline), messages, onLanguage?.(next)])
    trees.set(inline, tree)
    if (messages) addMessages(next, await messages)
    return tree
  }
  let tree = await fetched(language).catch((error: unknown) => {
    if (isInline(language)) throw error
    // The messages of the stored language no longer exist: fall back to English.
    language = sourceLanguage
    return fetched(language)
  })
  showLanguage(language)

  const changeLanguage = async (next: Language) => {
    wanted = next
    const words = await fetched(next)
    // Two quick switches: the last one wins, whichever loads first.
    if (wanted !== next) return
    tree = words
    language = next
    showLanguage(next)
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
      // Refine passes a default as the third argument, or as the second when there are no values.
      translate: (key: string, values?: unknown, fallback?: string) => {
        if (typeof values === 'string') return wordOf(tree, language, key, {}, values)
        const own = isObject(values) ? { ...values } : {}
        return wordOf(tree, language, key, own, fallback && icuOf(fallback))
      },
      changeLocale: (locale: string) => (isLanguage(locale) ? changeLanguage(locale) : Promise.resolve()),
      getLocale: () => language,
    },
  }
}
