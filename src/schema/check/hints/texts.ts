import { closest, entriesOf } from '#schema/check/report/report.ts'
import { isWritable } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { acceptParts, fileTypes } from '#schema/files.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { inlineLanguages } from '#schema/words.ts'

/** Unknown file endings close to a known one: `.pdfx`. */
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

/** A code, an abbreviation, a name, or values only (`{endReason}`): nothing to translate. */
const isCode = (text: string) => !/\p{Ll}{2}/u.test(text.replaceAll(/\{[^{}]*\}/g, '')) || /\d/.test(text)

/** A label, its texts in the order of the languages. */
type Texts = { path: string; texts: readonly string[] }

/** Labels at any depth of a definition. */
export function textsIn(value: unknown, path: string): Texts[] {
  if (Array.isArray(value) && value.length === inlineLanguages.length && value.every((text) => typeof text === 'string'))
    return [{ path, texts: value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${path}[${index}]`))
  return entriesOf(value).flatMap(([key, item]) => textsIn(item, `${path}.${key}`))
}

/** True for the same text in all languages; `Wi-Fi||name` marks an intended one. */
export const isSame = ({ texts: [first = '', ...others] }: Texts): boolean =>
  !first.includes('||') && !isCode(first) && others.every((text) => text === first)

/** True for English words whose Russian text has no Cyrillic letter, and is not the same: `Pump` and `Nasos`. */
export function isLatin({ texts: [english = '', russian = ''] }: Texts): boolean {
  const isWords = !isCode(english) && !isCode(russian) && /^\p{Lu}/u.test(english)
  return isWords && english !== russian && !english.includes('||') && !/\p{Script=Cyrillic}/u.test(russian)
}

/** Prefix of a draft text that is still untranslated. */
export const untranslated = 'Перевести: '

export const isUntranslated = ({ texts: [, russian = ''] }: Texts): boolean => russian.startsWith(untranslated)

type Named = { path: string; label: unknown }

/** Fields shown side by side: inputs of the sections, columns of the list. */
function besideIn({ name, fields, list, sections }: AnyResource): Named[][] {
  const named = (names: readonly string[]) =>
    names.flatMap((key) => (Object.hasOwn(fields, key) ? [{ path: `${name}.fields.${key}`, label: fields[key]?.label }] : []))
  const ofSections = Object.values(sections ?? { all: Object.keys(fields) }).flatMap((one) =>
    'fields' in one ? one.fields : one,
  )
  const isInput = (key: string) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    return field && (isWritable(field, 'create') || isWritable(field, 'edit'))
  }
  return [named(ofSections.filter(isInput)), named(list?.columns ?? [])]
}

/** Fields, options and states shown side by side with the same English or Russian label. */
export function sameLabels(resource: AnyResource): { path: string; text: string; other: string }[] {
  const at = (path: string, parts: unknown) =>
    entriesOf(parts).map(([key, part]): Named => ({ path: `${path}.${key}`, label: isObject(part) ? part.label : part }))
  const choices = Object.entries<Field>(resource.fields).flatMap(([key, field]) => [
    ...('options' in field ? [at(`${resource.name}.fields.${key}.options`, field.options)] : []),
    ...('states' in field ? [at(`${resource.name}.fields.${key}.states`, field.states)] : []),
  ])
  const found = [...besideIn(resource), ...choices].flatMap((group) =>
    group.flatMap(({ path, label }, index) => {
      const texts = Array.isArray(label) ? label.map(String) : []
      const textIn = (other: Named) => texts.find((text, place) => Array.isArray(other.label) && other.label[place] === text)
      const same = group.slice(0, index).find((other) => textIn(other) !== undefined)
      return same ? [{ path, text: textIn(same) ?? '', other: same.path.split('.').at(-1) ?? '' }] : []
    }),
  )
  return found.filter(({ path }, index) => found.findIndex((one) => one.path === path) === index)
}
