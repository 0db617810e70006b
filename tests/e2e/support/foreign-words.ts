import type { Page } from '@playwright/test'
import type { Language } from '#schema/words.ts'

/** Words that stand as they are in the other language, too: names, shortcuts, languages by their own name, quoted texts. */
const common: Readonly<Record<Language, readonly RegExp[]>> = {
  en: [/^Русский$/],
  ru: [/^English$/, /Ctrl/, /^API$/, /^Ethernet$/, /https?:/, /OpenAPI/, /^\/api\//],
  'en-XA': [/^(English|Русский)$/, /Ctrl/, /^Ethernet$/, /https?:/, /^\/api\//],
}

/** Units, codes and names of files are short or in capitals; a word of a language has small letters. */
const latin = /(?<!\p{L})[A-Za-z]*[a-z]{3,}(?!\p{L})/gu
const foreign: Readonly<Record<Language, RegExp>> = { en: /[А-Яа-яЁё]{2,}/g, ru: /[A-Za-z]*[a-z]{3,}/g, 'en-XA': latin }

/** The end of an id stands for a record without a name; letters in it are digits. */
const idTail = /\b(?=[a-f]*\d)[\da-f]{8}\b/g

/**
 * Finds what a page says in another language than its own, to eyes or ears: texts and names with words not of its alphabet.
 * `known` are the words that the server has answered: they are not the console's.
 */
export async function foreignWords(page: Page, language: Language, known: ReadonlySet<string>): Promise<string[]> {
  const said = await page.evaluate(() => {
    const isShown = (element: Element | null) =>
      element?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ?? false
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const name = node.parentElement?.closest('script, style, code, [translate=no]')
      if (!name && isShown(node.parentElement)) texts.add(node.textContent?.trim() ?? '')
    }
    for (const attribute of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        if (isShown(element)) texts.add(element.getAttribute(attribute)?.trim() ?? '')
      }
    }
    return [...texts]
  })
  return said.filter((text) => {
    // The mark of a text with a second meaning is for translators only.
    if (text.includes('||')) return true
    if (common[language].some((pattern) => pattern.test(text))) return false
    return (text.replace(idTail, '').match(foreign[language]) ?? []).some((word) => word.length > 3 && !known.has(word))
  })
}

/** The words of all texts in an answer of the server: names of people, codes, texts that people have written. */
export function wordsIn(answer: unknown, words = new Set<string>()): Set<string> {
  if (typeof answer === 'string') for (const word of answer.match(/[A-Za-z]+|[А-Яа-яЁё]+/g) ?? []) words.add(word)
  else if (typeof answer === 'object' && answer !== null) for (const part of Object.values(answer)) wordsIn(part, words)
  return words
}
