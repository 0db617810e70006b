import { fieldOf, listOf, mayRead, rolesFor, titleOf } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { acceptParts, fileTypes, largestFileBytes } from '#schema/files.ts'
import { currencies, isCurrency } from '#schema/format/money.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource, ListFacts } from '#schema/resource.ts'
import { inlineLanguages } from '#schema/words.ts'
import { checkFilters } from './check-links.ts'
import { checkRule } from './check-rules.ts'
import { closest, entriesOf, type Report, unknownKeys, withArticle } from './report/report.ts'

/** Least and greatest sensible value of a fact. */
const bounds: Readonly<Record<string, readonly [number, number]>> = {
  maxItems: [1, 10_000],
  maxBytes: [1, largestFileBytes],
  minLength: [0, 1_000_000],
  maxLength: [1, 1_000_000],
  bytes: [1, 1_048_576],
  digits: [0, 15],
}

/** Figures of a field that no value could keep to. */
export function checkFigures(report: Report, path: string, field: Readonly<Record<string, unknown>>): void {
  for (const [fact, [least, most]] of Object.entries(bounds)) {
    const value = field[fact]
    if (value === undefined) continue
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      report('absurd-fact', `${path}.${fact}`, `${fact} is a whole number from ${least} to ${most}, and not ${String(value)}`)
  }
  for (const fact of ['min', 'max'])
    if (field[fact] !== undefined && !Number.isFinite(field[fact]))
      report('absurd-fact', `${path}.${fact}`, `${fact} is a number`)
}

/** A type that no file can have, or a part that is neither an ending nor a type, closes the field to every file. */
export function checkAccept(report: Report, path: string, accept: unknown): void {
  if (accept === undefined) return
  const known = Object.keys(fileTypes)
  const parts = acceptParts(String(accept))
  if (parts.length === 0) report('no-options', `${path}.accept`, 'name at least one ending or type, like .pdf,image/*')
  for (const part of parts) {
    const isKnown = part.endsWith('/*') ? known.some((type) => type.startsWith(part.slice(0, -1))) : known.includes(part)
    if (!isKnown && !/^\.[a-z0-9]{1,10}$/.test(part))
      report('unknown-file-type', `${path}.accept`, `"${part}" is no ending and no known type`, { word: part, among: known })
  }
}

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

/** The unit of a value is read from a field that holds a short text. */
export function checkUnitField(report: Report, path: string, other: unknown): void {
  if (isObject(other) && !['text', 'code', 'enum'].includes(String(other.type)))
    report(
      'unsuited-unit',
      path,
      `${withArticle(String(other.type))} names no unit or currency; take a text, a code or an enum`,
    )
}

/** An amount without a currency says nothing. */
export function checkMoney(report: Report, path: string, { currency, currencyOf }: Readonly<Record<string, unknown>>): void {
  const among = Object.keys(currencies)
  if ((currency === undefined) === (currencyOf === undefined))
    report('no-currency', path, 'name its `currency`, or the field that holds it: `currencyOf`, and not both')
  if (currency !== undefined && !isCurrency(currency))
    report('unknown-currency', `${path}.currency`, `there is no currency "${String(currency)}"`, {
      word: String(currency),
      among,
    })
}

/** A role that may list must be able to read the title, and the order that the list opens in. */
function checkReaders(report: Report, resource: AnyResource): void {
  const readers = rolesFor(resource, 'list')
  const shut = (name: string) => {
    const field = fieldOf(resource, name)
    return field ? readers.filter((role) => !field.sortOnly && !mayRead(field, role)) : []
  }
  const title = shut(titleOf(resource))
  if (title.length > 0)
    report(
      'title-unseen',
      `${resource.name}.title`,
      `${title.join(', ')} may list but not read the title "${titleOf(resource)}"; add the role to its access.read, or take another title`,
    )
  const { field } = listOf(resource).sort
  const sort = shut(field)
  if (sort.length > 0 && resource.list?.sort)
    report(
      'sort-unseen',
      `${resource.name}.list.sort`,
      `${sort.join(', ')} may list but not read "${field}"; add the role to its access.read, or sort by another field`,
    )
}

/** Named sets of filters: saved views of a list, tabs of an inbox. */
function checkFilterSets(report: Report, resource: AnyResource, at: string, views: NonNullable<ListFacts['views']>): void {
  for (const [name, view] of entriesOf(views)) {
    const path = `${resource.name}.list.${at}.${name}`
    const known = views[name]
    if (!isObject(view) || !known || !isObject(known.filters)) {
      report('wrong-type', path, 'a view is { label, filters }')
      continue
    }
    unknownKeys(report, 'unknown-key', path, view, ['label', 'filters'], 'a view')
    checkFilters(report, resource, `${path}.filters`, known.filters)
  }
}

/** The saved views of a list, the tabs of its inbox, and the conditions of sections. */
export function checkViews(report: Report, resource: AnyResource): void {
  checkFilterSets(report, resource, 'views', resource.list?.views ?? {})
  checkFilterSets(report, resource, 'inbox.tabs', resource.list?.inbox?.tabs ?? {})
  for (const [name, section] of entriesOf(resource.sections))
    if (isObject(section) && section.when) checkRule(report, resource, `${resource.name}.sections.${name}.when`, section.when)
  checkReaders(report, resource)
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
