import type { AccessControlProvider, CanParams, CanReturnType } from '@refinedev/core'
import type { Definitions } from '#schema/definition.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'

const denied: CanReturnType = { can: false }

/** Name of the parent resource, from `params` or from Refine's resource list. */
function parentOf(params: CanParams['params']): string | undefined {
  const parent: unknown = params?.parent ?? params?.resource?.meta?.parent
  return typeof parent === 'string' ? parent : undefined
}

/**
 * Refine's access control, evaluated synchronously on the permission snapshot. Without a snapshot everything is denied; a child
 * requires its parent.
 */
export function createAccessControlProvider(options: {
  permissions: () => Permissions | undefined
  definitions: Definitions
}): AccessControlProvider {
  const can = ({ resource, action, params }: CanParams): CanReturnType => {
    const permissions = options.permissions()
    // Dashboard and profile belong to no resource: they only need a session.
    if (!permissions || !resource) return { can: permissions !== undefined }
    const parent = parentOf(params)
    if (parent && !isAllowed(permissions, parent, 'show')) return denied
    return { can: options.definitions.has(resource) && isAllowed(permissions, resource, action) }
  }
  return {
    can: async (question) => can(question),
    options: {
      buttons: { enableAccessControl: true, hideIfUnauthorized: true },
      // Not cached: the cache key does not include the user, and the check is free.
      queryOptions: { staleTime: 0, gcTime: 0 },
    },
  }
}
