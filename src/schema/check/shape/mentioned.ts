import { isObject } from '#schema/is-object.ts'
import { alternativesOf, bare, fitting, resolved, type Shape } from './shape.ts'

/** Keys whose texts name something else than a field: a resource, an icon, an action, a code. */
const elsewhere = new Set(
  'accept,actions,bulk,currency,forms,group,icon,key,line,name,opens,pattern,permit,refresh,resource,route,rowActions,tab,to,was,widget'.split(
    ',',
  ),
)

/** Keys whose objects have names of fields as their keys. Those of others are names of one's own: of states, views, parts. */
const byField = new Set(['body', 'filters', 'form', 'match', 'query', 'set', 'start'])

/** The first step of a path that may stand on a record: `$record.place.city` is `place`. */
function firstOf(path: string): string {
  const [first = '', second] = path.split('.')
  return ['record', 'row', 'form'].includes(first) && second !== undefined ? second : first
}

/** Fields that a text names. Addresses and texts on screen name those in their braces. */
function inText(text: string, isShown = false): string[] {
  const isPath = !isShown && !/[?/\s]/.test(text)
  const parts = isPath ? [text] : [...text.matchAll(/\{([^}]+)\}/g)].map(([, inner = '']) => inner)
  return parts.flatMap((part) => [...part.matchAll(/[A-Za-z0-9]+(\.[A-Za-z0-9]+)*/g)].map(([path]) => firstOf(path)))
}

function inKeys(value: object, keys: Readonly<Record<string, Shape>>): string[] {
  const shapes = new Map(Object.entries(keys).map(([key, shape]) => [bare(key), shape]))
  return Object.entries(value).flatMap(([key, item]) => {
    const shape = shapes.get(key)
    if (!shape || elsewhere.has(key)) return []
    const names = byField.has(key) && isObject(item) ? Object.keys(item).flatMap((name) => inText(name)) : []
    return [...names, ...mentioned(item, shape)]
  })
}

/** Facts of a field: those of every field, and those of its type. */
function inKind(value: object, { by, base, kinds }: Extract<Shape, { by: string }>): string[] {
  return [base, kinds[String(Reflect.get(value, by))]].flatMap((one) => {
    const shape = one && resolved(one)
    return typeof shape === 'object' && 'keys' in shape ? inKeys(value, shape.keys) : []
  })
}

function inObject(value: object, shape: Exclude<Shape, string>): string[] {
  if ('map' in shape) return Object.values(value).flatMap((item) => mentioned(item, shape.map))
  if ('keys' in shape) return inKeys(value, shape.keys)
  return 'by' in shape ? inKind(value, shape) : []
}

function inList(value: readonly unknown[], shape: Shape): string[] {
  if (shape === 'label') return value.flatMap((text) => inText(String(text), true))
  if (typeof shape === 'string') return []
  if ('list' in shape) return value.flatMap((item) => mentioned(item, shape.list))
  return 'parts' in shape ? value.flatMap((item, index) => mentioned(item, shape.parts[index] ?? 'any')) : []
}

/**
 * Names of fields that a value mentions, read by its type: words of the language and names of parts, states, views and
 * other things are none.
 */
export function mentioned(value: unknown, shape: Shape): string[] {
  return alternativesOf(shape)
    .filter((one) => fitting(one, value))
    .flatMap((one) => {
      if (Array.isArray(value)) return inList(value, one)
      if (isObject(value)) return typeof one === 'string' ? [] : inObject(value, one)
      return typeof value === 'string' && (one === 'string' || one === 'any') ? inText(value) : []
    })
}
