import type { Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import { deeds, kinds } from '#views/deed-words.ts'

/** In a column a deed goes on after who did it; in a list of choices it stands by itself. */
const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)

type Entry = readonly [code: string, label: Label]

/** One code may be an action of several records, by other words: all of them, each once. */
function choices(entries: readonly Entry[], language: Language): Record<string, Label> {
  const found = new Map<string, Label[]>()
  for (const [code, label] of entries) {
    const labels = found.get(code) ?? []
    if (!labels.some((known) => say(known, language) === say(label, language))) found.set(code, [...labels, label])
  }
  const joined = [...found].map(([code, labels]): Entry => {
    const labelIn = (each: Language) => capital(labels.map((label) => say(label, each)).join(' / '))
    return [code, [labelIn('en'), labelIn('ru')]]
  })
  return Object.fromEntries(joined.toSorted(([, a], [, b]) => say(a, language).localeCompare(say(b, language), language)))
}

const asChoice = (field: Field, options: Record<string, Label>): Field => ({ type: 'enum', label: field.label, options })

/** A journal whose deeds and kinds of records are chosen in words, for its filters: its entries hold codes. */
export function wordedJournal(resource: AnyResource, definitions: Definitions, language: Language): AnyResource {
  const { journal, fields } = resource
  const [deed, kind] = [fields[journal?.action ?? ''], fields[journal?.kind ?? '']]
  if (!journal || !deed || !kind) return resource
  const all = [...definitions.values()]
  const actions = all.flatMap((each) => Object.entries(each.actions ?? {}).map(([name, { label }]): Entry => [name, label]))
  const records = all.map(({ name, label }): Entry => [name, label.one])
  return {
    ...resource,
    fields: {
      ...fields,
      [journal.action]: asChoice(deed, choices([...Object.entries(deeds), ...actions], language)),
      [journal.kind]: asChoice(kind, choices([...Object.entries(kinds), ...records], language)),
    },
  }
}
