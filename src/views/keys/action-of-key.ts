import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { Action, AnyResource } from '#schema/resource.ts'

/** The action that a letter starts; undefined where the viewer has none. */
export function actionOfKey(
  resource: AnyResource,
  permissions: Permissions,
  letter: string | undefined,
): { name: string; action: Action } | undefined {
  const [name, action] = Object.entries(resource.actions ?? {}).find(([, { key }]) => key !== undefined && key === letter) ?? []
  return name && action && isAllowed(permissions, resource.name, name) ? { name, action } : undefined
}
