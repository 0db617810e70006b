import { type Method, methods } from '#schema/resource.ts'
import type { Api } from '#server/base/context.ts'

/** `user/{id}/lock?by=me` → `/user/:id/lock`. */
export const urlOf = (path: string): string => `/${path.replace(/\?.*$/, '').replace(/\{(\w+)\}/g, ':$1')}`

/** The path with parameter names removed, for comparison. */
export const shapeOf = (method: string, url: string) => `${method} ${url.replace(/:\w+/g, ':').replace(/\/$/, '')}`

export type RouteTable = { isTaken(method: Method, path: string): boolean }

/** Records registered routes, so that the engine adds none at an occupied path. */
export function watchRoutes(api: Api): RouteTable {
  const taken = new Set<string>()
  const prefix = api.prefix
  api.addHook('onRoute', ({ method, url }) => {
    const path = url.startsWith(prefix) ? url.slice(prefix.length) : url
    for (const name of [method].flat()) taken.add(shapeOf(name, path))
  })
  const stands = (method: Method, url: string) => methods.includes(method) && api.hasRoute({ method, url: `${prefix}${url}` })
  return { isTaken: (method, path) => taken.has(shapeOf(method, urlOf(path))) || stands(method, urlOf(path)) }
}
