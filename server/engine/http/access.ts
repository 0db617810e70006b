import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { isRole } from '#schema/roles.ts'
import type { Access } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'

const isAccess = (access: unknown): access is Access =>
  access === 'public' || access === 'user' || (Array.isArray(access) && access.length > 0 && access.every(isRole))

function check(access: Access, request: FastifyRequest) {
  if (access === 'public') return
  if (!request.caller) throw problem('not-signed-in')
  if (access !== 'user' && !access.includes(request.caller.role)) throw problem('forbidden')
}

const listOf = <T>(hooks: T | T[] | undefined): T[] => (hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks])

/**
 * Every route of the scope must declare its access, or the app fails to build. Checked before the body is read, after the
 * scope's hooks, which set the caller.
 */
export function enforceRouteAccess(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    const access = route.config?.access
    if (!isAccess(access))
      throw new Error(`${String(route.method)} ${route.url} does not declare who may use it: config.access`)
    const guard: onRequestAsyncHookHandler = async (request) => check(access, request)
    route.onRequest = [guard, ...listOf(route.onRequest)]
  })
}
