import { type Definitions, fieldOf, type JournalPart, journalParts, titleOf } from '#schema/definition.ts'
import { choiceLabel, choicesOf } from '#schema/facts/choices.ts'
import type { Field } from '#schema/field-types.ts'
import { auditActionWords, kinds } from '#schema/journal/journal-words.ts'
import type { AnyResource } from '#schema/resource.ts'
import { serverReasons } from '#schema/server-reasons.ts'
import { composed, type Label, type Language, say } from '#schema/words.ts'

/** In a column the action continues a sentence; as a filter option it stands alone. */
const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)

type Entry = readonly [code: string, label: Label]

/** Several resources may use one action code with different labels: they are joined, without duplicates. */
function choices(entries: readonly Entry[], language: Language): Record<string, Label> {
  const found = new Map<string, Label[]>()
  for (const [code, label] of entries) {
    const labels = found.get(code) ?? []
    if (!labels.some((known) => say(known, language) === say(label, language))) found.set(code, [...labels, label])
  }
  const joined = [...found].map(([code, labels]): Entry => {
    const labelIn = (each: Language) => capital(labels.map((label) => say(label, each)).join(' / '))
    return [code, composed(labelIn)]
  })
  return Object.fromEntries(joined.toSorted(([, a], [, b]) => say(a, language).localeCompare(say(b, language), language)))
}

const asChoice = (field: Field, options: Record<string, Label>): Field => ({ type: 'enum', label: field.label, options })

const actionsOf = ({ actions = {} }: AnyResource): Entry[] => Object.entries(actions).map(([name, { label }]) => [name, label])

/** Labels of a resource whose title is a code. */
function titlesOf(resource: AnyResource): Entry[] {
  const field = fieldOf(resource, titleOf(resource))
  return field?.type === 'enum' ? choicesOf(field).map((code): Entry => [code, choiceLabel(field, code)]) : []
}

/** `offered` has the filter choices, `chips` their texts. */
export type Worded = { offered: AnyResource; chips: AnyResource }

/**
 * The journal with labels for its action and kind codes in filters. Titles and reasons are searched as text; an exact code is
 * translated.
 */
export function wordedJournal(resource: AnyResource, definitions: Definitions, language: Language): Worded {
  const { journal } = resource
  if (!journal) return { offered: resource, chips: resource }
  const all = [...definitions.values()]
  const entries: Record<JournalPart, Entry[]> = {
    action: [...Object.entries(auditActionWords), ...all.flatMap(actionsOf)],
    kind: [...Object.entries(kinds), ...all.map(({ name, label }): Entry => [name, label.one])],
    title: all.flatMap(titlesOf),
    reason: Object.entries(serverReasons),
  }
  const withChoices = (parts: readonly JournalPart[]): AnyResource => {
    const worded = parts.flatMap((part) => {
      const field = resource.fields[journal[part]]
      return field ? [[journal[part], asChoice(field, choices(entries[part], language))] as const] : []
    })
    return { ...resource, fields: { ...resource.fields, ...Object.fromEntries(worded) } }
  }
  return { offered: withChoices(['action', 'kind']), chips: withChoices(journalParts) }
}
