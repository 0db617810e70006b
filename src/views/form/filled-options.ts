import type { Field, Fields } from '#schema/field-types.ts'
import { filledOptions, optionsOf, parentsOf } from '#schema/form/options.ts'
import { topOf } from '#schema/rule.ts'
import { composed, say } from '#schema/words.ts'
import { formWords } from './form-words.ts'

type Row = Readonly<Record<string, unknown>>

/** Memo: the same values return the same field object. */
const filled = new WeakMap<Field, Map<string, Field>>()

const isNothing = (value: unknown) => value === null || value === undefined || value === ''

/** Fields that a field's options depend on; the record's id is known to the input. */
const dependsOn = (field: Field): string[] => parentsOf(optionsOf(field) ?? '').filter((name) => name !== 'id')

function waiting(field: Field, parent: Field | undefined): Field {
  if (!parent) return field
  return {
    ...field,
    help: composed((language) => say(formWords.parentFirst, language, { name: say(parent.label, language) })),
  }
}

/**
 * A field with dependent options: `options: 'firmware/for-request-update?controlPcbId={controlPcbId}'`. `isClosed`: a parent
 * has no value yet, so there are no options.
 */
export function withFilledOptions(field: Field, values: Row, fields: Fields = {}): { field: Field; isClosed: boolean } {
  const options = optionsOf(field)
  const parents = dependsOn(field)
  if (options === undefined || parents.length === 0) return { field, isClosed: false }
  const path = filledOptions(options.replaceAll('{id}', '%7Bid%7D'), values)
  const known = filled.get(field) ?? new Map<string, Field>()
  filled.set(field, known)
  const missing = parents.find((name) => isNothing(values[topOf(name)]))
  const isClosed = path === undefined
  const made = () =>
    isClosed
      ? waiting(field, fields[topOf(missing ?? '')])
      : ({ ...field, options: path.replaceAll('%7Bid%7D', '{id}') } as Field)
  const key = `${path ?? ''} ${isClosed && Object.hasOwn(fields, topOf(missing ?? ''))}`
  const same = known.get(key) ?? made()
  known.set(key, same)
  return { field: same, isClosed }
}

/** Fields whose options depend on a field, transitively: their values are cleared when it changes. */
export function dependentsOf(fields: Fields, name: string, found: readonly string[] = []): readonly string[] {
  const own = Object.keys(fields).filter((other) => {
    const field = fields[other]
    return field && other !== name && !found.includes(other) && dependsOn(field).map(topOf).includes(name)
  })
  return own.reduce<readonly string[]>((all, other) => dependentsOf(fields, other, all), [...found, ...own])
}
