import { routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'

/** Address of a list with the filters of a figure or of one of its parts. */
export function listHref(resource: AnyResource, query: string, more: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries(more)) params.append(name, value)
  const text = params.toString()
  return `/${routeOf(resource)}${text ? `?${text}` : ''}`
}
