import type { Field } from '#schema/field-types.ts'

/** Fields with their options path filled in, so that the same values give the same field. */
const filled = new WeakMap<Field, Map<string, Field>>()

/** Parameters whose value is not chosen yet are left out: the choice is only wider then. */
const withoutUnfilled = (path: string) =>
  path.replace(/([?&])[^?&=]+=\{(?!id\})\w+\}/g, (_, mark: string) => (mark === '?' ? '?' : '')).replace(/\?$|(?<=\?)&/, '')

/** A field whose choices depend on another one of the form: `options: 'firmware/for-request-update?controlPcbId={controlPcbId}'`. */
export function withFilledOptions(field: Field, values: Readonly<Record<string, unknown>>): Field {
  if (field.type !== 'reference' || !field.options?.includes('{')) return field
  const path = field.options.replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = name === 'id' ? undefined : values[name]
    return typeof value === 'string' && value ? encodeURIComponent(value) : mark
  })
  const options = withoutUnfilled(path)
  if (options === field.options) return field
  const known = filled.get(field) ?? new Map<string, Field>()
  filled.set(field, known)
  const same = known.get(options) ?? { ...field, options }
  known.set(options, same)
  return same
}
