import { fieldOf, listOf, mayRead, rolesFor, titleOf } from '#schema/definition.ts'
import { acceptParts, fileTypes, largestFileBytes } from '#schema/files.ts'
import { currencies, isCurrency } from '#schema/format/money.ts'
import { units } from '#schema/format/units.ts'
import { isObject } from '#schema/is-object.ts'
import { splitKey } from '#schema/list-query.ts'
import type { AnyResource, ListFacts } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { checkFilters } from './check-filters.ts'
import { checkRule } from './check-rules.ts'
import { closedTo } from './hints/closed-fields.ts'
import { entriesOf, type Report, unknownKeys, unknownWord, unknownWords, withArticle } from './report/report.ts'

/** Bounds of sensible values, by fact. */
const bounds: Readonly<Record<string, readonly [number, number]>> = {
  maxItems: [1, 10_000],
  maxBytes: [1, largestFileBytes],
  minLength: [0, 1_000_000],
  maxLength: [1, 1_000_000],
  bytes: [1, 1_048_576],
  digits: [0, 15],
}

/** Numeric facts that no value could satisfy. */
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

/** A scale names a larger unit of the field's own. */
export function checkScale(report: Report, path: string, unit: unknown, scale: unknown): void {
  const facts = Object.entries(units).find(([key]) => key === unit)?.[1]
  if (scale === undefined || !facts) return
  const among = ['none', ...('steps' in facts ? facts.steps.map(({ symbol }) => symbol[0]) : [])]
  const word = String(scale)
  if (!among.includes(word)) report('unknown-unit', path, `${String(unit)} is not shown in "${word}"`, { word, among })
}

/** An unknown file type, or a part that is neither an ending nor a type, would reject every file. */
export function checkAccept(report: Report, path: string, accept: unknown): void {
  if (accept === undefined) return
  const known = Object.keys(fileTypes)
  const endings = Object.values(fileTypes).flatMap((type) => type.endings.map((ending) => `.${ending}`))
  const parts = acceptParts(String(accept))
  if (parts.length === 0) report('no-options', `${path}.accept`, 'name at least one ending or type, like .pdf,image/*')
  for (const part of parts) {
    const isKnown = part.endsWith('/*') ? known.some((type) => type.startsWith(part.slice(0, -1))) : known.includes(part)
    if (!isKnown && !/^\.[a-z0-9]{1,10}$/.test(part))
      report('unknown-file-type', `${path}.accept`, `"${part}" is no ending and no known type`, {
        word: part,
        among: [...known, ...endings],
      })
  }
}

const namers = {
  unitOf: 'names no unit; take a text, a code or an enum',
  currencyOf: "names no currency; take an enum of currencies, like options: ['EUR', 'USD']",
}

/** The field that names a unit or currency must hold a short text. */
export function checkUnitField(report: Report, path: string, fact: keyof typeof namers, other: unknown): void {
  if (isObject(other) && !['text', 'code', 'enum'].includes(String(other.type)))
    report('unsuited-unit', path, `${withArticle(String(other.type))} ${namers[fact]}`)
}

/** An amount needs a currency. */
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

/** A role that may list must be able to read the title and the default order. */
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

/** Every viewer of the list sees all tabs of its inbox, so all of them must be able to read the filtered fields. */
function checkOpen(report: Report, resource: AnyResource, path: string, keys: readonly string[]): void {
  for (const key of keys) {
    const blind = fieldOf(resource, splitKey(key).field) ? closedTo(resource, key) : []
    if (blind.length > 0)
      report(
        'tab-unseen',
        `${path}.${key}`,
        `${blind.join(', ')} may list but not read "${splitKey(key).field}"; add the role to its access.read, or filter by another field`,
      )
  }
}

/** Named filter sets: saved views of a list, tabs of an inbox. */
function checkFilterSets(report: Report, resource: AnyResource, at: string, views: NonNullable<ListFacts['views']>): void {
  for (const [name, view] of entriesOf(views)) {
    const path = `${resource.name}.list.${at}.${name}`
    const known = views[name]
    if (!isObject(view) || !known || !isObject(known.filters)) {
      report('wrong-type', path, 'a view is { label, filters }')
      continue
    }
    unknownKeys(
      report,
      'unknown-key',
      path,
      view,
      at === 'views' ? ['label', 'filters', 'roles'] : ['label', 'filters', 'text', 'only'],
      'a view',
    )
    unknownWords(report, 'unknown-role', `${path}.roles`, view.roles, roles, 'role')
    checkFilters(report, resource, `${path}.filters`, known.filters)
    if (at === 'inbox.tabs') checkOpen(report, resource, `${path}.filters`, Object.keys(known.filters))
  }
}

/** Saved views, tabs of the inbox, and conditions of sections. */
export function checkViews(report: Report, resource: AnyResource): void {
  checkFilterSets(report, resource, 'views', resource.list?.views ?? {})
  checkFilterSets(report, resource, 'inbox.tabs', resource.list?.inbox?.tabs ?? {})
  for (const [name, section] of entriesOf(resource.sections))
    if (isObject(section) && section.when) checkRule(report, resource, `${resource.name}.sections.${name}.when`, section.when)
  checkReaders(report, resource)
}

/** Choices that only some roles may give. */
export function checkGivenBy(report: Report, path: string, { givenBy, options }: Readonly<Record<string, unknown>>): void {
  const known = Array.isArray(options) ? options.map(String) : entriesOf(options).map(([key]) => key)
  for (const [choice, who] of entriesOf(givenBy)) {
    unknownWord(report, 'unknown-choice', `${path}.${choice}`, choice, known, 'choice')
    unknownWords(report, 'unknown-role', `${path}.${choice}`, who, roles, 'role')
  }
}
