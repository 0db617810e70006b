import { createHash } from 'node:crypto'
import type { LabelWords } from '#schema/label-table.ts'
import { type InlineLanguage, type Label, languageRow } from '#schema/words.ts'

/** Facts of definitions that are a label; of some others each entry is one. */
const labelFacts = new Set([
  'label',
  'one',
  'many',
  'help',
  'none',
  'title',
  'body',
  'success',
  'message',
  'ask',
  'text',
  'first',
  'positive',
  'negative',
])
const labelTables = new Set(['options', 'labels', 'refusals'])
/** Facts whose values stand in several fields: one is written, the others name it. */
const sharedFacts = new Set(['options', 'states'])

/** True where a definition has a label: by its fact, or by the table that it is an entry of. */
export const isLabelPlace = (fact: string, owner: string): boolean => labelFacts.has(fact) || labelTables.has(owner)

export const isPair = (value: unknown): value is Label =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')

/** Parts of definitions that are fetched later: facts of dialogs and forms, of lists and the journal, and figures of the dashboard. */
const laterParts = ['forms', 'figures', 'lists'] as const
type LaterPart = (typeof laterParts)[number]
export const dialogFacts: ReadonlySet<string> = new Set(['form', 'start', 'changes', 'checks', 'guard', 'ends', 'reveals'])
export const listFacts: ReadonlySet<string> = new Set([
  'marks',
  'views',
  'tone',
  'filters',
  'card',
  'bulk',
  'forms',
  'facet',
  'inbox',
  'empty',
])
/** Facts that forms alone ask of a value: a field gets them with their part. */
export const inputFacts: ReadonlySet<string> = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'fills',
  'starts',
  'min',
  'max',
  'maxItems',
  'step',
  'valuesOf',
  'immutable',
  'givenBy',
])
/** Facts that a value gets with the part of forms, by what it is an entry of. */
const factsOfForms: Readonly<Record<string, ReadonlySet<string>>> = { fields: inputFacts, states: new Set(['next']) }

/** The functions whose calls stand for the next value of a part: an object without arguments, else the list that is given. */
const placeOf: Record<LaterPart, string> = { forms: 'F', figures: 'G', lists: 'H' }

const formFacts: ReadonlySet<string> = new Set(['deletion', 'rules', 'ends', 'checks'])
/** Facts of a confirmation about its record, of a deletion, and of a form as a whole. */
const isOfDialog = (key: string, owner: string, value: unknown): boolean =>
  owner === 'confirm' ? key === 'also' || (key === 'danger' && typeof value === 'object') : formFacts.has(key) && owner === ''

/** The part that a value comes with, by the keys above it, the nearest first. */
function laterPartOf([key = '', owner = '', group = '']: readonly string[], value: unknown): LaterPart | undefined {
  if (group === 'actions' && dialogFacts.has(key)) return 'forms'
  if (isOfDialog(key, owner, value)) return 'forms'
  if (key === 'divides' || (key === 'outlook' && typeof value === 'object')) return 'forms'
  // Headings within a group stand in forms alone; those of a record are sections of its resource.
  if (key === 'sections' && group === 'fields') return 'forms'
  if (owner === 'list' ? listFacts.has(key) : owner === 'journal' && key === 'details') return 'lists'
  // Flows are drawn in rows.
  if (key === 'flow' && group === 'fields') return 'lists'
  // The sentence below a heading comes with the part that draws it.
  if (key === 'why' && owner === '') return 'lists'
  return key === 'figures' && owner === '' ? 'figures' : undefined
}

/**
 * Server-only facts of a resource, its fields and its actions: a console neither needs nor shows them. Roles of actions come with
 * the permissions.
 */
const ofResource = new Set(['scope', 'unseen', 'unique', 'logsReads'])
const serverFacts: Readonly<Record<string, ReadonlySet<string>>> = {
  fields: new Set(['unique', 'fresh']),
  actions: new Set(['reason', 'roles', 'fresh']),
}

/** `path`: the keys above the object that has the fact, the nearest first. */
const isServers = (name: string, path: readonly string[]): boolean =>
  path.length === 1 ? ofResource.has(name) : (serverFacts[path[1] ?? '']?.has(name) ?? false)

/** Values of shared facts that stand in several places, as JSON. */
function repeated(data: unknown): ReadonlySet<string> {
  const seen = new Set<string>()
  const again = new Set<string>()
  JSON.stringify(data, (key, value: unknown) => {
    const text = sharedFacts.has(key) && typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
    if (text && seen.has(text)) again.add(text)
    seen.add(text)
    return value
  })
  return again
}

/** `later`: the values of each part as code, by number. */
export type CutWords = {
  code: string
  later: Record<LaterPart, readonly string[]>
  print: string
  count: number
  words: Record<InlineLanguage, LabelWords>
}

/**
 * Definitions as code without words and without what comes later, and the words of each language by number. `N()` stands for the
 * next label, in their order, also for one that has stood before: numbers compress worse than the word does once more. `F()`, `G()`
 * and `H()` stand for the next value of a later part; parts come in any order, so that in them each label has its number, `L[3]`.
 * `S[3]` is a value that stands in several fields.
 */
export function cutWords(data: unknown): CutWords {
  const labels: Label[] = []
  const places = new Map<string, number>()
  const values: Record<LaterPart, unknown[]> = { forms: [], figures: [], lists: [] }
  const standIn = (label: Label, isNumbered: boolean) => {
    const key = JSON.stringify(label)
    const place = places.get(key)
    if (isNumbered && place !== undefined) return `L[${place}]`
    const own = labels.push(label) - 1
    places.set(key, place ?? own)
    return isNumbered ? `L[${own}]` : 'N()'
  }
  const standInFor = (part: LaterPart, value: unknown) => {
    values[part].push(value)
    return `${placeOf[part]}(${Array.isArray(value) ? '[]' : ''})`
  }
  const shared = repeated(data)
  const numbers = new Map<string, number>()
  /** The first place has the value, the others its number. */
  const once = (value: object, write: () => string) => {
    const text = JSON.stringify(value)
    if (!shared.has(text)) return write()
    const number = numbers.get(text)
    if (number !== undefined) return `S[${number}]`
    numbers.set(text, numbers.size)
    return `(S[${numbers.size - 1}]=${write()})`
  }
  const writer = (isLater: boolean) => {
    /** `path`: the keys above the value, the nearest first. */
    const write = (value: unknown, path: readonly string[]): string => {
      const isShared = !isLater && typeof value === 'object' && value !== null && sharedFacts.has(path[0] ?? '')
      return isShared ? once(value, () => written(value, path)) : written(value, path)
    }
    const written = (value: unknown, path: readonly string[]): string => {
      const [key = '', owner = ''] = path
      const part = isLater ? undefined : laterPartOf(path, value)
      if (part) return standInFor(part, value)
      if (isPair(value) && isLabelPlace(key, owner)) return standIn(value, isLater)
      if (Array.isArray(value)) return `[${value.map((each) => write(each, ['', ...path])).join()}]`
      if (typeof value !== 'object' || value === null) return JSON.stringify(value)
      const entries = Object.entries(value).filter(([name, each]) => each !== undefined && !isServers(name, path))
      const isInput = ([name]: [string, unknown]) => !isLater && (factsOfForms[owner]?.has(name) ?? false)
      const now = entries.filter((entry) => !isInput(entry))
      const early = `{${now.map(([name, each]) => `${JSON.stringify(name)}:${write(each, [name, ...path])}`).join()}}`
      if (now.length === entries.length) return early
      // After its own parts, which the script reaches first.
      values.forms.push(Object.fromEntries(entries.filter(isInput)))
      return `${placeOf.forms}(${early})`
    }
    return write
  }
  const code = writer(false)(data, [])
  const later = {
    forms: values.forms.map((value) => writer(true)(value, [])),
    figures: values.figures.map((value) => writer(true)(value, [])),
    lists: values.lists.map((value) => writer(true)(value, [])),
  }
  if (labels.length === 0) throw new Error('The definitions have no label that could be cut: see build/definition-words.ts')
  const print = createHash('sha256').update(JSON.stringify(labels)).digest('base64url').slice(0, 12)
  const of = (language: InlineLanguage): LabelWords => ({
    print,
    words: labels.map((label) => label[languageRow(language).place] ?? ''),
  })
  return { code, later, print, count: labels.length, words: { en: of('en'), ru: of('ru') } }
}
