import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

type All = ReadonlyMap<string, AnyResource>

function prune(resource: AnyResource, paths: readonly string[]): AnyResource {
  const copy: AnyResource = JSON.parse(JSON.stringify(resource))
  for (const path of paths) {
    const [, ...steps] = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
    const last = steps.pop() ?? ''
    const holder = steps.reduce<unknown>((at, step) => Object(at)[step], copy)
    if (isObject(holder) || Array.isArray(holder)) Reflect.deleteProperty(holder, last)
  }
  return { ...copy, fields: isObject(copy.fields) ? copy.fields : {} }
}

/** The definitions without the parts at these paths: what is left of them has the types of the language. */
export const pruned = (all: All, paths: readonly string[]): All =>
  new Map(
    [...all].map(([name, resource]) => {
      const own = paths.filter((path) => path.startsWith(`${name}.`))
      return [name, own.length > 0 ? prune(resource, own) : resource]
    }),
  )
