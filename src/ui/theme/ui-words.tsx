import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'

/** The kit's own words in English; `{name}` marks a value. The shell supplies the other languages under the same keys. */
export const englishUiWords = {
  actions: 'Actions',
  apply: 'Apply',
  cancel: 'Cancel',
  clear: 'Clear',
  close: 'Close',
  closeMenu: 'Close menu',
  copied: 'Copied',
  copy: 'Copy',
  dateLetters: 'DD MM YYYY HH MM',
  dismiss: 'Dismiss',
  fileDrop: 'Drop a file here or choose one',
  fileRemove: 'Remove file',
  hidePassword: 'Hide password',
  loadFailed: 'Could not load',
  loading: 'Loading…',
  mainMenu: 'Main menu',
  more: 'More',
  nextPage: 'Next page',
  noChoices: 'Nothing to choose from',
  noMatches: 'No matches',
  noRows: 'Nothing here yet',
  notCopied: 'Not copied',
  notifications: 'Notifications',
  ok: 'OK',
  openMenu: 'Open menu',
  page: 'Page {page}',
  pageRange: '{from}–{to} of {total}',
  pages: 'Pages',
  previousPage: 'Previous page',
  remove: 'Remove',
  required: 'required',
  rowsPerPage: 'Rows per page',
  search: 'Search',
  selectAllRows: 'Select all rows on this page',
  selectRow: 'Select {row}',
  selectedCount: '{count} selected',
  showPassword: 'Show password',
  sizeUnits: 'b KB MB GB',
  skipToContent: 'Skip to content',
  sortBy: 'Sort by {column}',
  typeToConfirm: 'Type {text} to confirm',
} as const

export type UiWordKey = keyof typeof englishUiWords
export type UiWords = Record<UiWordKey, string>

export const uiWordKeys = Object.keys(englishUiWords) as UiWordKey[]

type UiLanguage = { words: UiWords; locale: string }

const UiLanguageContext = createContext<UiLanguage>({ words: englishUiWords, locale: 'en' })

export type UiWordsProviderProps = { words: UiWords; locale: string; children: ReactNode }

/** Provides the kit's texts and the BCP 47 locale of its numbers. */
export function UiWordsProvider({ words, locale, children }: UiWordsProviderProps) {
  const language = useMemo(() => ({ words, locale }), [words, locale])
  useEffect(() => {
    wordsOutside = words
  }, [words])
  return <UiLanguageContext value={language}>{children}</UiLanguageContext>
}

let wordsOutside: UiWords = englishUiWords

/** The current texts, for code outside of the React tree. */
export function getUiWords(): UiWords {
  return wordsOutside
}

/** Texts of the kit itself (close, retry, loading) in the language on screen. */
export function useUiWords(): UiWords {
  return useContext(UiLanguageContext).words
}

export function useUiLocale(): string {
  return useContext(UiLanguageContext).locale
}

/** Fills placeholders: `fillWord('Page {page}', { page: 3 })`. */
export function fillWord(word: string, values: Record<string, string | number>): string {
  return word.replace(/\{(\w+)\}/g, (mark, name: string) => String(values[name] ?? mark))
}
