import { closest, entriesOf } from '#schema/check/report/report.ts'
import type { Fields } from '#schema/field-types.ts'
import { acceptParts, fileTypes } from '#schema/files.ts'
import { inlineLanguages } from '#schema/words.ts'

/** Endings of file fields that nobody knows by content and that are close to one that is known: `.pdfx`. */
export function strayEndings(fields: Fields, path: string): { path: string; ending: string; meant: string }[] {
  const known = Object.values(fileTypes).flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.type !== 'file' && field.type !== 'files') return []
    const strange = acceptParts(field.accept ?? '').filter((part) => part.startsWith('.') && !known.includes(part))
    return strange.flatMap((ending) => {
      const meant = closest(ending, known)
      return meant === undefined ? [] : [{ path: `${path}.${name}.accept`, ending, meant }]
    })
  })
}

/** A code, an abbreviation or a name that has no words: nothing to translate. */
const isCode = (text: string) => !/\p{Ll}{2}/u.test(text) || /\d/.test(text)

/** Labels whose languages say the same: `Wi-Fi||name` marks a text that is meant to. */
export function sameTexts(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.length === inlineLanguages.length && value.every((text) => typeof text === 'string')) {
    const [first = '', ...others] = value.map(String)
    return !first.includes('||') && !isCode(first) && others.every((text) => text === first) ? [path] : []
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => sameTexts(item, `${path}[${index}]`))
  return entriesOf(value).flatMap(([key, item]) => sameTexts(item, `${path}.${key}`))
}

/** Mark of a drafted text that still stands in English in the place of another language. */
export const untranslated = 'Перевести: '

/** Labels that a draft left to be translated, with their English text. */
export function untranslatedTexts(value: unknown, path: string): { path: string; text: string }[] {
  if (Array.isArray(value) && value.length === inlineLanguages.length && String(value[1]).startsWith(untranslated))
    return [{ path, text: String(value[0]) }]
  if (Array.isArray(value)) return value.flatMap((item, index) => untranslatedTexts(item, `${path}[${index}]`))
  return entriesOf(value).flatMap(([key, item]) => untranslatedTexts(item, `${path}.${key}`))
}
