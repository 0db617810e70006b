import type { ResourceProps } from '@refinedev/core'
import { type Definitions, routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { hasScreen, type Screen } from '#shell/screens.ts'

const paths: Record<Screen, string> = { list: '', create: '/create', show: '/:id', edit: '/:id/edit' }

function pageOf(resource: AnyResource, screen: Screen): Partial<ResourceProps> {
  return hasScreen(resource, screen) ? { [screen]: `/${routeOf(resource)}${paths[screen]}` } : {}
}

/** Refine's view of the definitions: names and addresses. Its query keys carry all of it, so it holds no more. */
export const refineResources = (definitions: Definitions): ResourceProps[] =>
  [...definitions.values()].map((resource) => ({
    name: resource.name,
    ...pageOf(resource, 'list'),
    ...pageOf(resource, 'create'),
    ...pageOf(resource, 'show'),
    ...pageOf(resource, 'edit'),
  }))
