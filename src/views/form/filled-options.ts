import type { Field, Fields } from '#schema/field-types.ts'
import { filledOptions, optionsOf, parentsOf } from '#schema/form/options.ts'
import { composed, say } from '#schema/words.ts'
import { formWords } from './form-words.ts'

type Row = Readonly<Record<string, unknown>>

/** Fields with their options path filled in, so that the same values give the same field. */
const filled = new WeakMap<Field, Map<string, Field>>()

const isNothing = (value: unknown) => value === null || value === undefined || value === ''
const topOf = (path: string) => path.split('.')[0] ?? path

/** Parents of the choices of a field, beside the id of the record, which its input knows. */
const dependsOn = (field: Field): string[] => parentsOf(optionsOf(field) ?? '').filter((name) => name !== 'id')

function waiting(field: Field, parent: Field | undefined): Field {
  if (!parent) return field
  return {
    ...field,
    help: composed((language) => say(formWords.parentFirst, language, { name: say(parent.label, language) })),
  }
}

/**
 * A field whose choices depend on others of the form: `options: 'firmware/for-request-update?controlPcbId={controlPcbId}'`.
 * `isClosed`: one of these has no value yet, so there is nothing to choose from.
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

/** The fields whose choices depend on a field, directly or by way of another: their values end with its value. */
export function dependentsOf(fields: Fields, name: string, found: readonly string[] = []): readonly string[] {
  const own = Object.keys(fields).filter((other) => {
    const field = fields[other]
    return field && other !== name && !found.includes(other) && dependsOn(field).map(topOf).includes(name)
  })
  return own.reduce<readonly string[]>((all, other) => dependentsOf(fields, other, all), [...found, ...own])
}
