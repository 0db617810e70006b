import type { Field, Fields } from '#schema/field-types.ts'
import { composed, type Label, say } from '#schema/words.ts'

const joined = (left: Label, right: Label): Label => composed((language) => `${say(left, language)} / ${say(right, language)}`)

/** Readable location of a fault: `Location / Time zone`, `Schedule 2 / From`. Undefined for an unknown path. */
export function labelAt(fields: Fields, path: string): Label | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return undefined
  const isItem = /^\d+$/.test(rest[0] ?? '')
  const number = isItem ? ` ${Number(rest[0]) + 1}` : ''
  const own = composed((language) => `${say(field.label, language)}${number}`)
  const below = isItem ? rest.slice(1) : rest
  if (below.length === 0 || !('fields' in field)) return own
  const inner = labelAt(field.fields, below.join('.'))
  return inner ? joined(own, inner) : own
}

/** The field at a fault's path, skipping list indexes. */
export function fieldIn(fields: Fields, path: string): Field | undefined {
  const [name = '', ...rest] = path.split('.').filter((step) => !/^\d+$/.test(step))
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field && rest.length > 0 ? ('fields' in field ? fieldIn(field.fields, rest.join('.')) : undefined) : field
}
