import { routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'

const segment = encodeURIComponent

/** The addresses of the generated screens. */
export const listPath = (resource: AnyResource): string => `/${routeOf(resource)}`
export const createPath = (resource: AnyResource): string => `${listPath(resource)}/create`
export const editPath = (resource: AnyResource, id: string): string => `${recordPath(resource, id)}/edit`
export const recordPath = (resource: AnyResource, id: string, tab?: string): string =>
  `${listPath(resource)}/${segment(id)}${tab && tab !== indexTab ? `/${segment(tab)}` : ''}`

/** Address of a row that opens inside its parent record. */
export const nestedPath = (resource: AnyResource, id: string, opens: string, child: string): string =>
  `${recordPath(resource, id, opens)}/${segment(child)}`

/** The tab at the record's own path. */
export const indexTab = 'index'
