import type { Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'

/** Facts whose promise is tried for fields of a record only. */
const promises = ['access', 'when', 'readOnly', 'immutable', 'fresh', 'options'] as const

/** Parts of groups and lists with a promise of their own, which no check tries: `lines.cost: access`. */
export function untriedParts(fields: Fields, prefix = ''): { path: string; facts: string[] }[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const isPart = prefix !== ''
    const isPick = field.type === 'reference' || field.type === 'references'
    const own = promises.filter((fact) => Reflect.get(field, fact) !== undefined && (fact !== 'options' || isPick))
    const facts = [...own, ...(field.type === 'secret' || field.type === 'status' ? [field.type] : [])]
    const inner = 'fields' in field && isObject(field.fields) ? untriedParts(field.fields, `${path}.`) : []
    return [...(isPart && facts.length > 0 ? [{ path, facts }] : []), ...inner]
  })
}
