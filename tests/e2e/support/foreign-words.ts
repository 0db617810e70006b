import type { Page } from '@playwright/test'

/** Words that stand as they are in the other language, too: names, shortcuts, languages by their own name, quoted texts. */
const common: Readonly<Record<'en' | 'ru', readonly RegExp[]>> = {
  en: [/^Русский$/],
  ru: [/^English$/, /Ctrl/, /^API$/, /^Ethernet$/, /https?:/, /OpenAPI/, /^\/api\//],
}

/**
 * What a page says in another language than its own, to eyes or ears: texts and names with words of the other alphabet.
 * `known` are the words that the server has answered: they are not the console's.
 */
export async function foreignWords(page: Page, language: 'en' | 'ru', known: ReadonlySet<string>): Promise<string[]> {
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
  // Units, codes and names of files are short or in capitals; a word of a language has small letters.
  const foreign = language === 'en' ? /[А-Яа-яЁё]{2,}/g : /[A-Za-z]*[a-z]{3,}/g
  return said.filter((text) => {
    if (common[language].some((pattern) => pattern.test(text))) return false
    return (text.match(foreign) ?? []).some((word) => word.length > 3 && !known.has(word))
  })
}

/** The words of all texts in an answer of the server: names of people, codes, what somebody has written. */
export function wordsIn(answer: unknown, words = new Set<string>()): Set<string> {
  if (typeof answer === 'string') for (const word of answer.match(/[A-Za-z]+|[А-Яа-яЁё]+/g) ?? []) words.add(word)
  else if (typeof answer === 'object' && answer !== null) for (const part of Object.values(answer)) wordsIn(part, words)
  return words
}
